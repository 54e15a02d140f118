extension HistoryPage {
  /// The table of all operations: sorted, searched, and drawn in windows where it is long.
  static let table = #"""
    const LINE = 28, ALL_IN_PAGE = 500, ALL_ON_PAPER = 5000;
    const collator = new Intl.Collator(undefined, { numeric: true });
    const byTime = (kind) => (one, other) => one.times[kind] - other.times[kind];
    const columns = [
      { title: "#", isNumber: true, compare: (one, other) => one.id - other.id, text: (each) => String(each.id) },
      { title: "operation", compare: (one, other) => collator.compare(one.name, other.name), text: link },
      {
        title: "queue", compare: (one, other) => collator.compare(data.queues[one.queue], data.queues[other.queue]),
        text: (each) => Object.assign(make("span", "", data.queues[each.queue]), { title: data.queues[each.queue] }),
      },
      {
        title: "outcome", compare: (one, other) => collator.compare(one.shown, other.shown),
        text: (each) => make("span", "", make("span", `mark ${each.shown}`), each.shown),
      },
      { title: "added", isNumber: true, compare: (one, other) => one.added - other.added, text: (o) => time(o.added) },
      ...KINDS.map((title, i) => ({
        title, isNumber: true, compare: byTime(i),
        text: (each) => each.times[i] > 0 || i === EXECUTING && each.begin >= 0 ? time(each.times[i]) : "–",
      })),
    ];
    const sorting = { column: 0, isDescending: false };
    const tableScroller = byId("table-scroller"), body = byId("table").tBodies[0];
    let found = operations;

    columns.forEach((column, i) => {
      const button = make("button", "", column.title);
      button.type = "button";
      button.addEventListener("click", () => {
        sorting.isDescending = sorting.column === i ? !sorting.isDescending : column.isNumber === true && i > 0;
        sorting.column = i;
        find();
      });
      const cell = make("th", column.isNumber ? "number" : "", button);
      cell.scope = "col";
      byId("table").tHead.rows[0].append(cell);
    });

    const find = () => {
      const comparable = (text) => text.normalize("NFKC").toLowerCase();
      const words = comparable(byId("search").value).split(/\s+/).filter((word) => word !== "");
      const matches = (each) => {
        const text = comparable([`#${each.id}`, label(each), data.queues[each.queue], each.shown, each.failure,
          each.critical ? "critical path" : ""].join("\n"));
        return words.every((word) => text.includes(word));
      };
      found = words.length > 0 ? operations.filter(matches) : operations.slice();
      const { compare } = columns[sorting.column];
      const sign = sorting.isDescending ? -1 : 1;
      found.sort((one, other) => sign * compare(one, other) || one.index - other.index);
      byId("matches").textContent = `${count(found.length)} of ${count(operations.length)}`;
      [...byId("table").tHead.rows[0].cells].forEach((cell, i) => {
        if (i === sorting.column) cell.setAttribute("aria-sort", sorting.isDescending ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      });
      byId("table").setAttribute("aria-rowcount", found.length + 1);
      drawn = { from: -1, to: -1 };
      drawTable();
    };

    let drawn = { from: -1, to: -1 };
    const drawTable = () => {
      let [from, to] = [0, isPrinting ? Math.min(found.length, ALL_ON_PAPER) : found.length];
      if (!isPrinting && found.length > ALL_IN_PAGE) {
        const first = Math.floor(tableScroller.scrollTop / LINE);
        from = Math.max(0, Math.min(first - 40, found.length - 100));
        to = Math.min(found.length, first + 100);
      }
      if (from === drawn.from && to === drawn.to) return;
      drawn = { from, to };
      const lines = found.slice(from, to).map((operation, i) => {
        const line = make("tr");
        for (const column of columns) line.append(make("td", column.isNumber ? "number" : "", column.text(operation)));
        line.dataset.index = operation.index;
        // The headline is the first.
        line.setAttribute("aria-rowindex", from + i + 2);
        return line;
      });
      const focused = body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.index : "";
      body.replaceChildren(space(from), ...lines, space(found.length - to));
      markChosenLine();
      body.querySelector(`tr[data-index="${focused}"] button`)?.focus({ preventScroll: true });
    };
    /// Stands for lines that are not drawn.
    const space = (number) => {
      const cell = make("td", "", `… and ${count(number)} more`);
      cell.colSpan = columns.length;
      const line = make("tr", "space", cell);
      line.style.height = `${number * LINE}px`;
      line.hidden = number === 0;
      line.ariaHidden = "true";
      return line;
    };
    const markChosenLine = () => {
      for (const line of body.querySelectorAll("tr.chosen")) {
        line.classList.remove("chosen");
        line.removeAttribute("aria-current");
      }
      const line = body.querySelector(`tr[data-index="${chosen}"]`);
      line?.classList.add("chosen");
      line?.setAttribute("aria-current", "true");
    };

    let isTableDrawing = false;
    tableScroller.addEventListener("scroll", () => {
      if (isTableDrawing || found.length <= ALL_IN_PAGE) return;
      isTableDrawing = true;
      requestAnimationFrame(() => { isTableDrawing = false; drawTable(); });
    });
    let typing = 0;
    byId("search").addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(find, found.length > ALL_IN_PAGE || operations.length > ALL_IN_PAGE ? 150 : 30);
    });
    listeners.push(() => {
      markChosenLine();
      if (body.contains(document.activeElement) || chosen < 0) return;
      const place = found.findIndex((operation) => operation.index === chosen);
      if (place < 0) return;
      const top = place * LINE;
      if (top < tableScroller.scrollTop || top + 2 * LINE > tableScroller.scrollTop + tableScroller.clientHeight) {
        tableScroller.scrollTop = Math.max(0, top - tableScroller.clientHeight / 2);
      }
    });
    """#

  /// Draws everything for the first time.
  static let start = #"""
    byId("no-script").remove();
    for (const part of document.querySelectorAll("nav, main")) part.hidden = false;
    layOut();
    showDetails();
    drawGraph();
    find();
    """#
}
