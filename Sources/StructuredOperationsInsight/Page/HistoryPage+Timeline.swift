extension HistoryPage {
  /// Draws the executing spans by queue and slot.
  ///
  /// Only what can be seen is drawn, found by binary search, and of spans narrower than a pixel one for each pixel: the one that
  /// matters most, such as a failure.
  static let timeline = #"""
    const ROW = 20, AXIS = 24, GUTTER = 90;
    const canvas = byId("timeline-canvas"), scroller = byId("timeline"), context = canvas.getContext("2d");
    const whole = Math.max(data.duration, 0.001);
    const view = { from: 0, to: whole };

    // Of several in one pixel that is drawn which has the highest.
    const weight = (operation) => operation.outcome === "failed" ? 3 : operation.critical ? 2
      : operation.outcome === "succeeded" ? 0 : 1;
    // Rows: a headline for each queue, then its slots, each with parallel arrays sorted by time.
    const rows = [];
    {
      // By number, which in a file from elsewhere may be any.
      const queues = data.queues.map(() => new Map());
      for (const { index, queue, spans } of operations) {
        for (let i = 0; i < spans.length; i += 5) {
          if (spans[i] !== EXECUTING) continue;
          const slots = queues[queue], slot = spans[i + 3];
          if (!slots.has(slot)) slots.set(slot, []);
          slots.get(slot).push([spans[i + 1], spans[i + 2], index]);
        }
      }
      queues.forEach((slots, queue) => {
        if (slots.size === 0) return;
        rows.push({ title: data.queues[queue], length: 0 });
        for (const [slot, spans] of [...slots].sort((one, other) => one[0] - other[0])) {
          spans.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
          rows.push({
            slot, length: spans.length, starts: Float64Array.from(spans, (span) => span[0]),
            ends: Float64Array.from(spans, (span) => span[1]), indices: Int32Array.from(spans, (span) => span[2]),
            weights: Uint8Array.from(spans, (span) => weight(operations[span[2]])), queue: data.queues[queue],
          });
        }
      });
    }
    rows.forEach((row, y) => { row.y = y * ROW; });
    const places = new Map();
    for (const row of rows) {
      for (let i = 0; i < row.length; i++) {
        const place = { row, start: row.starts[i], end: row.ends[i] };
        const known = places.get(row.indices[i]);
        if (!known) places.set(row.indices[i], { first: place, last: place });
        else if (place.start < known.first.start) known.first = place;
        else if (place.end >= known.last.end) known.last = place;
      }
    }

    /// The first position whose value is above the limit.
    const firstAbove = (values, limit, from = 0) => {
      let low = from, high = values.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] > limit) high = middle; else low = middle + 1;
      }
      return low;
    };

    let size = { width: 0, height: 0 }, isPrinting = false;
    const x = (moment) => GUTTER + (moment - view.from) / (view.to - view.from) * (size.width - GUTTER);
    const moment = (x) => view.from + (x - GUTTER) / (size.width - GUTTER) * (view.to - view.from);

    const layOut = () => {
      const total = AXIS + rows.length * ROW + 6;
      // No browser draws pictures of any size.
      const height = Math.max(80, Math.min(total, isPrinting ? 12000 : 458));
      byId("timeline-space").style.height = `${total}px`;
      size = { width: scroller.clientWidth, height };
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
      draw();
    };

    let isDrawing = false;
    const redraw = () => {
      if (isDrawing) return;
      isDrawing = true;
      requestAnimationFrame(() => { isDrawing = false; draw(); });
    };

    const draw = () => {
      const ratio = window.devicePixelRatio || 1;
      const colours = {};
      for (const name of ["panel", "text", "faint", "line", "stripe", "succeeded", "critical", "failed", "cancelled",
        "unfinished", "on-bar", "on-strong", "on-unfinished", "chosen"]) colours[name] = style(`--${name}`);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = colours.panel;
      context.fillRect(0, 0, size.width, size.height);
      context.font = "11px system-ui, sans-serif";
      context.textBaseline = "middle";
      const top = scroller.scrollTop;
      const { ticks, step } = data.duration > 0 ? drawGrid(colours) : { ticks: [], step: 1 };
      const begin = Math.max(0, Math.floor(top / ROW));
      const end = Math.min(rows.length, Math.ceil((top + size.height) / ROW));
      for (let i = begin; i < end; i++) drawRow(rows[i], AXIS + rows[i].y - top, colours);
      drawLinks(top, colours);
      drawAxis(ticks, step, colours);
    };

    const drawGrid = (colours) => {
      const step = niceStep((view.to - view.from) / Math.max(4, (size.width - GUTTER) / 110));
      const ticks = [];
      context.fillStyle = colours.line;
      for (let tick = Math.ceil(view.from / step) * step; tick <= view.to; tick += step) {
        ticks.push(tick);
        context.fillRect(Math.round(x(tick)), 0, 1, size.height);
      }
      return { ticks, step };
    };

    const niceStep = (least) => {
      const long = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400].map((seconds) => seconds * 1e6);
      if (least > 30e6) return long.find((step) => step >= least) ?? Math.ceil(least / 86400e6) * 86400e6;
      const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
      return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
    };

    const drawRow = (row, y, colours) => {
      if (row.title !== undefined) {
        context.fillStyle = colours.stripe;
        context.fillRect(0, y, size.width, ROW);
        context.fillStyle = colours.text;
        context.font = "600 11px system-ui, sans-serif";
        context.fillText(clip(row.title, size.width - 20), 8, y + ROW / 2);
        context.font = "11px system-ui, sans-serif";
        return;
      }
      context.fillStyle = colours.faint;
      context.fillText(`slot ${row.slot}`, 20, y + ROW / 2);
      let i = firstAbove(row.ends, view.from);
      // Those of no length that begin there.
      while (i > 0 && row.starts[i - 1] >= view.from) i -= 1;
      const frames = [];
      while (i < row.length && row.starts[i] <= view.to) {
        const [first, next] = [i, pixelEnd(row, i)];
        const operation = operations[row.indices[heaviest(row, first, next)]];
        i = next;
        const right = Math.min(size.width, x(row.ends[first]));
        let left = Math.min(size.width - 1, Math.max(GUTTER, x(row.starts[first])));
        // On two pixels it would be pale.
        if (right - left <= 1) left = Math.floor(left);
        const width = Math.max(1, right - left);
        const colour = operation.critical && operation.outcome === "succeeded" ? "critical" : operation.outcome;
        context.fillStyle = colours[colour];
        context.fillRect(left, y + 3, width > 3 ? width - 1 : width, ROW - 6);
        if (operation.critical && colour !== "critical") {
          context.fillStyle = colours.critical;
          context.fillRect(left, y + ROW - 5, width > 3 ? width - 1 : width, 3);
        }
        if (operation.index === chosen) frames.push([left - 0.5, y + 2.5, width + 1, ROW - 5]);
        if (width > 34) {
          const isStrong = colour === "critical" || colour === "failed" || colour === "cancelled";
          context.fillStyle = colours[isStrong ? "on-strong" : colour === "unfinished" ? "on-unfinished" : "on-bar"];
          const mark = { failed: "✕ ", cancelled: "⊘ " }[operation.outcome] ?? "";
          context.fillText(clip(mark + label(operation), width - 8), left + 4, y + ROW / 2 + 0.5);
        }
      }
      // Over the bars that follow, and between two lines that set it off from those of its own colour.
      for (const frame of frames) {
        for (const [colour, width] of [["panel", 5], ["chosen", 3]]) {
          context.strokeStyle = colours[colour];
          context.lineWidth = width;
          context.strokeRect(...frame);
        }
      }
    };

    /// The position behind the spans that share a pixel with the one at a position; the next one, where that is wider.
    const pixelEnd = (row, i) => {
      const pixel = (view.to - view.from) / Math.max(1, size.width - GUTTER);
      return row.ends[i] - row.starts[i] > pixel ? i + 1 : Math.max(i + 1, firstAbove(row.ends, row.starts[i] + pixel, i));
    };

    /// The position of the span that matters most, of some: the chosen one first.
    const heaviest = (row, from, to) => {
      const weight = (i) => row.indices[i] === chosen ? 4 : row.weights[i];
      let most = from;
      for (let i = from + 1; i < to; i++) if (weight(i) > weight(most)) most = i;
      return most;
    };

    const clip = (text, width) => {
      const line = onOneLine(text.slice(0, 400));
      if (context.measureText(line).width <= width) return line;
      // Characters, which may take two units.
      const characters = Array.from(line);
      const start = (length) => `${characters.slice(0, length).join("")}…`;
      let low = 0, high = characters.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (context.measureText(start(middle)).width <= width) low = middle; else high = middle - 1;
      }
      return low > 0 ? start(low) : "";
    };

    /// With as many digits as tell a tick from the next one.
    const tickText = (tick, step) => {
      if (tick <= 0) return "0";
      if (step >= 60e6) {
        const minutes = Math.round(tick / 60e6);
        return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
      }
      return exactly(tick, step);
    };

    const drawAxis = (ticks, step, colours) => {
      context.fillStyle = colours.panel;
      context.fillRect(0, 0, size.width, AXIS - 2);
      context.fillStyle = colours.line;
      context.fillRect(0, AXIS - 2, size.width, 1);
      context.fillStyle = colours.faint;
      let free = 0;
      for (const tick of ticks) {
        const left = x(tick) + 4, text = tickText(tick, step), right = left + context.measureText(text).width;
        if (left < free || right > size.width) continue;
        context.fillText(text, left, AXIS / 2 - 1);
        free = right + 6;
      }
    };

    /// Lines from what the chosen operation depended on, and to what depends on it.
    const drawLinks = (top, colours) => {
      const place = places.get(chosen);
      if (!place) return;
      context.save();
      context.beginPath();
      context.rect(GUTTER, AXIS, size.width - GUTTER, size.height - AXIS);
      context.clip();
      context.strokeStyle = colours.chosen;
      context.lineWidth = 1.5;
      const y = (row) => AXIS + row.y - top + ROW / 2;
      const connect = (from, to) => {
        const [left, right] = [x(from.end), x(to.start)];
        const bend = Math.max(12, Math.abs(right - left) / 2);
        context.beginPath();
        context.moveTo(left, y(from.row));
        context.bezierCurveTo(left + bend, y(from.row), right - bend, y(to.row), right, y(to.row));
        context.stroke();
      };
      const { dependencies, dependents } = operations[chosen];
      for (const index of dependencies.slice(0, 200)) {
        const other = places.get(index);
        if (other) connect(other.last, place.first);
      }
      for (const index of dependents.slice(0, 200)) {
        const other = places.get(index);
        if (other) connect(place.last, other.first);
      }
      context.restore();
    };
    """#
}
