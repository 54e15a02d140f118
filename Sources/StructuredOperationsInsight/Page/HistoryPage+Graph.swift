extension HistoryPage {
  /// Draws dependencies, waits and additions from left to right: all of them, or what lies around the chosen operation.
  static let graph = #"""
    const NODES = 150, NODE_WIDTH = 168, NODE_HEIGHT = 36, GAP_X = 56, GAP_Y = 12, LANE_HEIGHT = 6;
    const svg = (tag, attributes, ...children) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };

    // What a node is linked with: what it depends on, waits for, or was added by.
    const sources = (operation) => {
      const found = new Map();
      if (operation.parent >= 0) found.set(operation.parent, "adds");
      const spans = operation.spans;
      for (let i = 0; i < spans.length; i += 5) {
        if (spans[i] === WAITING && spans[i + 4] >= 0) found.set(spans[i + 4], "wait");
      }
      for (const index of operation.dependencies) found.set(index, "dependency");
      found.delete(operation.index);
      return found;
    };
    const targets = operations.length > NODES ? new Map() : undefined;
    if (targets) {
      for (const operation of operations) {
        for (const index of sources(operation).keys()) {
          if (!targets.has(index)) targets.set(index, []);
          if (targets.get(index).length < NODES) targets.get(index).push(operation.index);
        }
      }
    }

    const shownNodes = () => {
      if (!targets) return operations.map((operation) => operation.index);
      const begin = chosen >= 0 ? [chosen] : data.critical.slice(0, NODES / 2);
      const shown = new Set(begin);
      let edge = begin;
      while (edge.length > 0 && shown.size < NODES) {
        const next = [];
        for (const index of edge) {
          for (const other of [...sources(operations[index]).keys(), ...(targets.get(index) ?? [])]) {
            if (shown.size >= NODES) break;
            if (!shown.has(other)) { shown.add(other); next.push(other); }
          }
        }
        edge = next;
      }
      return [...shown].sort((one, other) => one - other);
    };

    /// Columns by the longest way to a node. Waits of bodies and additions may form loops, which are cut.
    const arrange = (nodes) => {
      const edges = [], inner = new Set(nodes), incoming = new Map(), outgoing = new Map();
      for (const index of nodes) {
        for (const [source, kind] of sources(operations[index])) {
          if (!inner.has(source)) continue;
          // What a body adds and waits for stands behind it, with one line for both.
          if (kind === "wait" && operations[source].parent === index) continue;
          const isAwaited = kind === "adds" && sources(operations[source]).get(index) === "wait";
          edges.push({ source, target: index, kind: isAwaited ? "wait" : kind });
          incoming.set(index, (incoming.get(index) ?? 0) + 1);
          if (!outgoing.has(source)) outgoing.set(source, []);
          outgoing.get(source).push(index);
        }
      }
      const column = new Map(nodes.map((index) => [index, 0]));
      const free = nodes.filter((index) => !incoming.has(index));
      for (let i = 0; i < free.length; i++) {
        for (const target of outgoing.get(free[i]) ?? []) {
          column.set(target, Math.max(column.get(target), column.get(free[i]) + 1));
          incoming.set(target, incoming.get(target) - 1);
          if (incoming.get(target) === 0) free.push(target);
        }
      }
      return { edges, column, ...place(nodes, edges, column) };
    };

    /// Puts the nodes of each column below each other, and lanes among them for the edges that pass it: an edge behind
    /// a node would look like one that ends there. Edges from one source share their lanes.
    ///
    /// Each node and lane stands near the middle of what leads to it.
    const place = (nodes, edges, column) => {
      const columns = [];
      const enter = (key, at, isLane) => {
        const item = { key, isLane, sources: [], middle: 0 };
        (columns[at] ??= new Map()).set(key, item);
        return item;
      };
      for (const index of nodes) enter(index, column.get(index), false);
      const item = (key, at) => columns[at]?.get(key);
      for (const edge of edges) {
        const [from, to] = [column.get(edge.source), column.get(edge.target)];
        edge.lanes = [];
        let last = item(edge.source, from);
        for (let at = from + 1; at < to; at++) {
          const key = `lane ${edge.source}`;
          let lane = item(key, at);
          if (!lane) {
            lane = enter(key, at, true);
            lane.sources.push(last);
          }
          edge.lanes.push({ at, lane });
          last = lane;
        }
        if (from < to) item(edge.target, to).sources.push(last);
      }
      const tops = new Map();
      let height = 0;
      for (const members of columns) {
        // Columns that only cut loops lead to may be empty.
        const items = [...members?.values() ?? []];
        const order = new Map(items.map((one, i) => [one, one.sources.length > 0
          ? one.sources.reduce((sum, source) => sum + source.middle, 0) / one.sources.length : 1e9 + i]));
        items.sort((one, other) => order.get(one) - order.get(other));
        let top = GAP_Y;
        for (const one of items) {
          const size = one.isLane ? LANE_HEIGHT : NODE_HEIGHT;
          one.middle = top + size / 2;
          if (!one.isLane) tops.set(one.key, top);
          top += size + GAP_Y;
        }
        height = Math.max(height, top);
      }
      return { tops, height, columnCount: columns.length };
    };

    /// For each operation of the critical path the edge from the last one before it that has one to it: where a body waits for
    /// what it has added, no line leads back.
    const criticalEdges = (edges) => {
      const places = new Map(data.critical.map((index, i) => [index, i])), best = new Map();
      for (const edge of edges) {
        const [from, to] = [places.get(edge.source) ?? Infinity, places.get(edge.target) ?? -1];
        const known = best.get(edge.target);
        if (from < to && !(known && places.get(known.source) > from)) best.set(edge.target, edge);
      }
      return best;
    };

    const drawGraph = () => {
      const nodes = shownNodes();
      const { edges, column, tops, height, columnCount } = arrange(nodes);
      const focused = Number(document.activeElement?.closest?.("#graph g[data-index]")?.dataset.index ?? -1);
      byId("graph-hint").textContent = nodes.length === operations.length
        ? "Arrows lead from what comes first. Dashed ones are waits of bodies, and lead from a body to what it adds and "
          + "waits for; dotted ones are additions without a wait, all others dependencies."
        : `${count(nodes.length)} of ${count(operations.length)} operations: those around `
          + (chosen >= 0 ? "the chosen one." : "the critical path; choose one to see its neighbours.");
      const left = (index) => 12 + column.get(index) * (NODE_WIDTH + GAP_X);
      const width = Math.max(1, columnCount) * (NODE_WIDTH + GAP_X) - GAP_X + 24;
      const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group" });
      const critical = criticalEdges(edges);
      const isCritical = (edge) => critical.get(edge.target) === edge;
      for (const edge of edges.sort((one, other) => isCritical(one) - isCritical(other))) {
        let [x, y] = [left(edge.source) + NODE_WIDTH, tops.get(edge.source) + NODE_HEIGHT / 2];
        let line = `M${x} ${y}`;
        const bendTo = (x2, y2) => {
          const bend = Math.max(GAP_X / 2, Math.abs(x2 - x) / 2);
          line += ` C${x + bend} ${y} ${x2 - bend} ${y2} ${x2} ${y2}`;
        };
        for (const { at, lane } of edge.lanes) {
          bendTo(12 + at * (NODE_WIDTH + GAP_X), lane.middle);
          [x, y] = [12 + at * (NODE_WIDTH + GAP_X) + NODE_WIDTH, lane.middle];
          line += ` L${x} ${y}`;
        }
        const [endX, endY] = [left(edge.target), tops.get(edge.target) + NODE_HEIGHT / 2];
        bendTo(endX, endY);
        const mark = isCritical(edge) ? "critical" : "";
        picture.append(svg("path", { d: line, class: `${edge.kind} ${mark}` }));
        // Each line ends to the right.
        picture.append(svg("path", { d: `M${endX - 8} ${endY - 4} l8 4 l-8 4 z`, class: `head ${mark}` }));
      }
      for (const index of nodes) picture.append(drawNode(operations[index], left(index), tops.get(index)));
      byId("graph").replaceChildren(nodes.length > 0 ? picture : make("p", "hint", "There is nothing to draw."));
      const node = (index) => picture.querySelector(`g[data-index="${index}"]`);
      node(focused)?.focus({ preventScroll: true });
      if (chosen >= 0 && focused < 0) showInBox(byId("graph"), node(chosen));
    };

    /// Scrolls within the box alone, and not the page.
    const showInBox = (box, element) => {
      if (!element) return;
      const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
      if (inner.left < outer.left || inner.right > outer.right) {
        box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
      }
      if (inner.top < outer.top || inner.bottom > outer.bottom) {
        box.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
      }
    };

    const drawNode = (operation, x, y) => {
      const shown = Array.from(onOneLine(label(operation)));
      const text = shown.length > 21 ? `${shown.slice(0, 20).join("")}…` : shown.join("");
      const classes = [operation.shown, operation.critical ? "critical" : "",
        operation.index === chosen ? "chosen" : ""];
      const node = svg("g", {
        transform: `translate(${x} ${y})`, role: "button", tabindex: 0, class: classes.join(" "),
        "data-index": operation.index, ...operation.index === chosen ? { "aria-current": "true" } : {},
      },
        svg("title", {}, `${label(operation)}, ${operation.shown}`),
        svg("rect", { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 6 }),
        svg("text", { x: 9, y: 16 }, text),
        svg("text", { x: 9, y: 29, class: "time" },
          operation.begin < 0 ? operation.shown : `${time(operation.times[EXECUTING])} – ${operation.shown}`));
      node.addEventListener("click", () => choose(operation.index));
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(operation.index);
      });
      return node;
    };
    listeners.push(drawGraph);
    """#
}
