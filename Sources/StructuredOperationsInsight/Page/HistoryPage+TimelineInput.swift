extension HistoryPage {
  /// Mouse, wheel and keys of the timeline.
  static let timelineInput = #"""
    const show = (from, to) => {
      // A nanosecond, unless that is less than tells one moment from another in a number.
      const length = Math.min(whole, Math.max(to - from, whole * 1e-13, 0.001));
      const start = Math.max(0, Math.min(from, whole - length));
      [view.from, view.to] = [start, start + length];
      redraw();
      clearTimeout(telling);
      telling = setTimeout(tellRange, 300);
    };
    let telling = 0;
    /// Once the view has come to rest, so that a reader of the screen is not told each step.
    const tellRange = () => {
      byId("range").textContent = view.to - view.from >= whole ? ""
        : `Shown from ${exactly(view.from)} to ${exactly(view.to)}`;
    };
    /// The middle of what is chosen, while that is in view.
    const centreOfView = () => {
      const place = places.get(chosen)?.first;
      const middle = place ? (place.start + place.end) / 2 : -1;
      return middle >= view.from && middle <= view.to ? middle : (view.from + view.to) / 2;
    };
    const zoom = (factor, centre = centreOfView()) => {
      show(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
    };
    const move = (share) => {
      const distance = (view.to - view.from) * share;
      show(view.from + distance, view.to + distance);
    };
    byId("zoom-in").addEventListener("click", () => zoom(0.5));
    byId("zoom-out").addEventListener("click", () => zoom(2));
    byId("zoom-all").addEventListener("click", () => show(0, whole));

    const hit = (event) => {
      const box = canvas.getBoundingClientRect();
      const [left, top] = [event.clientX - box.left, event.clientY - box.top];
      const row = top > AXIS ? rows[Math.floor((top - AXIS + scroller.scrollTop) / ROW)] : undefined;
      if (!row || row.title !== undefined || left < GUTTER) return undefined;
      const pixel = (view.to - view.from) / Math.max(1, size.width - GUTTER), at = moment(left);
      let i = firstAbove(row.ends, at);
      // What is narrow need not be hit exactly.
      if (i >= row.length || row.starts[i] > at) i = firstAbove(row.ends, at - 2 * pixel);
      if (i >= row.length || row.starts[i] > at + 2 * pixel) return undefined;
      i = heaviest(row, i, pixelEnd(row, i));
      return { operation: operations[row.indices[i]], row, start: row.starts[i], end: row.ends[i] };
    };
    const hover = (found) => {
      byId("hover").textContent = found
        ? `${isolated(label(found.operation))} – ${found.operation.shown}, in slot ${found.row.slot} of `
          + `${isolated(found.row.queue)}, executing from ${exactly(found.start)} to ${exactly(found.end)}: `
          + time(found.end - found.start) : "\u00a0";
    };

    let drag;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, from: view.from, to: view.to, isMove: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag && event.buttons) {
        const distance = (drag.x - event.clientX) / (size.width - GUTTER) * (drag.to - drag.from);
        if (Math.abs(drag.x - event.clientX) > 3) drag.isMove = true;
        if (drag.isMove) { show(drag.from + distance, drag.to + distance); hover(undefined); }
        return;
      }
      hover(hit(event));
    });
    canvas.addEventListener("pointerleave", () => hover(undefined));
    canvas.addEventListener("pointerup", (event) => {
      const found = drag && !drag.isMove ? hit(event) : undefined;
      drag = undefined;
      if (found) choose(found.operation.index);
    });
    canvas.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        hover(undefined);
        zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), moment(event.offsetX));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        move((event.deltaX || event.deltaY) / size.width);
      }
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const actions = {
        ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
        ArrowUp: () => { scroller.scrollTop -= ROW * 2; }, ArrowDown: () => { scroller.scrollTop += ROW * 2; },
        "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => show(0, whole),
        Home: () => show(0, view.to - view.from), End: () => show(whole - (view.to - view.from), whole),
        n: () => chooseNext(1), p: () => chooseNext(-1),
      };
      const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
    const chooseNext = (step) => {
      if (operations.length === 0) return;
      choose(Math.max(0, Math.min(operations.length - 1, chosen + step)));
      reveal();
    };

    /// Brings the chosen operation into view.
    const reveal = () => {
      const place = places.get(chosen);
      if (!place) return;
      const length = view.to - view.from;
      if (place.first.end < view.from || place.first.start > view.to) {
        show(place.first.start - length / 2, place.first.start + length / 2);
      }
      const y = AXIS + place.first.row.y;
      if (y < scroller.scrollTop + AXIS || y + ROW > scroller.scrollTop + size.height) {
        scroller.scrollTop = y - size.height / 2;
      }
    };
    scroller.addEventListener("scroll", redraw);
    listeners.push(() => { reveal(); redraw(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    // As when the window comes to another screen.
    const watchPixels = () => {
      const pixels = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`);
      pixels.addEventListener("change", () => { layOut(); watchPixels(); }, { once: true });
    };
    watchPixels();
    new ResizeObserver(layOut).observe(scroller);
    // On paper nothing scrolls.
    const print = (isBeginning) => {
      isPrinting = isBeginning;
      if (isBeginning) scroller.scrollTop = 0;
      layOut();
      drawTable();
    };
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    matchMedia("print").addEventListener("change", layOut);
    """#
}
