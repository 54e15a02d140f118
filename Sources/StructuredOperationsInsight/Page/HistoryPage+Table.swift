extension HistoryPage {
  /// The table of all operations: sorted, searched, and drawn in windows where it is long.
  static let table = #"""
    const LINE = 28, ALL_IN_PAGE = 5000;
    const collator = new Intl.Collator(undefined, { numeric: true });
    const byTime = (kind) => (one, other) => one.times[kind] - other.times[kind];
    const columns = [
      { title: "#", isNumber: true, compare: (one, other) => one.id - other.id, text: (each) => String(each.id) },
      { title: "operation", compare: (one, other) => collator.compare(one.name, other.name), text: link },
      {
        title: "queue", compare: (one, other) => collator.compare(data.queues[one.queue], data.queues[other.queue]),
        text: (each) => data.queues[each.queue],
      },
      {
        title: "outcome", compare: (one, other) => collator.compare(one.shown, other.shown),
        text: (each) => make("span", "", make("span", `mark ${each.shown}`), each.shown),
      },
      { title: "added", isNumber: true, compare: (one, other) => one.added - other.added, text: (o) => time(o.added) },
      ...KINDS.map((title, i) => ({
        title, isNumber: true, compare: byTime(i), text: (each) => each.times[i] > 0 ? time(each.times[i]) : "–",
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
      const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      const matches = (each) => {
        const text = `${each.name}\n${data.queues[each.queue]}\n${each.shown}\n${each.failure}`.toLowerCase();
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
      drawn = { from: -1, to: -1 };
      drawTable();
    };

    let drawn = { from: -1, to: -1 };
    const drawTable = () => {
      let [from, to] = [0, found.length];
      if (found.length > ALL_IN_PAGE) {
        const first = Math.floor(tableScroller.scrollTop / LINE);
        from = Math.max(0, Math.min(first - 40, found.length - 100));
        to = Math.min(found.length, first + 100);
      }
      if (from === drawn.from && to === drawn.to) return;
      drawn = { from, to };
      const lines = found.slice(from, to).map((operation) => {
        const line = make("tr", operation.index === chosen ? "chosen" : "");
        for (const column of columns) line.append(make("td", column.isNumber ? "number" : "", column.text(operation)));
        line.dataset.index = operation.index;
        return line;
      });
      body.replaceChildren(space(from), ...lines, space(found.length - to));
    };
    const space = (number) => {
      const line = make("tr");
      line.style.height = `${number * LINE}px`;
      line.hidden = number === 0;
      return line;
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
      const isInTable = body.contains(document.activeElement);
      for (const line of body.querySelectorAll("tr.chosen")) line.classList.remove("chosen");
      body.querySelector(`tr[data-index="${chosen}"]`)?.classList.add("chosen");
      if (isInTable || chosen < 0) return;
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
    layOut();
    showDetails();
    drawGraph();
    find();
    """#
}
