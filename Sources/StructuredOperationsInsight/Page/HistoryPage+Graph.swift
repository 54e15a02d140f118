extension HistoryPage {
  /// Draws dependencies, waits and additions from left to right: all of them, or what lies around the chosen operation.
  static let graph = #"""
    const NODES = 150, NODE_WIDTH = 168, NODE_HEIGHT = 36, GAP_X = 56, GAP_Y = 12;
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
      const columns = [], rank = new Map();
      for (const index of nodes) (columns[column.get(index)] ??= []).push(index);
      for (const members of columns.filter((members) => members)) {
        const middle = new Map(members.map((index) => {
          const ranks = [...sources(operations[index]).keys()].filter((s) => rank.has(s)).map((s) => rank.get(s));
          return [index, ranks.length > 0 ? ranks.reduce((sum, r) => sum + r, 0) / ranks.length : 1e9];
        }));
        members.sort((one, other) => middle.get(one) - middle.get(other) || one - other);
        members.forEach((index, i) => rank.set(index, i));
      }
      return { edges, column, rank, columns };
    };

    const drawGraph = () => {
      const nodes = shownNodes();
      const { edges, column, rank, columns } = arrange(nodes);
      byId("graph-hint").textContent = nodes.length === operations.length
        ? "Lines are dependencies, dashed ones waits of bodies, dotted ones additions by bodies."
        : `${count(nodes.length)} of ${count(operations.length)} operations: those around `
          + (chosen >= 0 ? "the chosen one." : "the critical path; choose one to see its neighbours.");
      const left = (index) => 12 + column.get(index) * (NODE_WIDTH + GAP_X);
      const top = (index) => 12 + rank.get(index) * (NODE_HEIGHT + GAP_Y);
      const width = Math.max(1, columns.length) * (NODE_WIDTH + GAP_X) - GAP_X + 24;
      const height = Math.max(1, ...columns.map((members) => members?.length ?? 0)) * (NODE_HEIGHT + GAP_Y) + 12;
      const picture = svg("svg", { width, height, role: "group" });
      for (const { source, target, kind } of edges) {
        const [x1, y1] = [left(source) + NODE_WIDTH, top(source) + NODE_HEIGHT / 2];
        const [x2, y2] = [left(target), top(target) + NODE_HEIGHT / 2];
        const bend = Math.max(GAP_X / 2, Math.abs(x2 - x1) / 2);
        const isCritical = operations[source].critical && operations[target].critical;
        picture.append(svg("path", {
          d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
          class: `${kind}${isCritical ? " critical" : ""}`,
        }));
      }
      for (const index of nodes) picture.append(drawNode(operations[index], left(index), top(index)));
      byId("graph").replaceChildren(nodes.length > 0 ? picture : make("p", "hint", "There is nothing to draw."));
    };

    const drawNode = (operation, x, y) => {
      const shown = Array.from(label(operation).replace(/[\u0000-\u001f\u007f]/g, " "));
      const text = shown.length > 21 ? `${shown.slice(0, 20).join("")}…` : shown.join("");
      const classes = [operation.outcome, operation.critical ? "critical" : "",
        operation.index === chosen ? "chosen" : ""];
      const place = { transform: `translate(${x} ${y})`, role: "button", tabindex: 0, class: classes.join(" ") };
      const node = svg("g", place,
        svg("title", {}, `${label(operation)}, ${operation.outcome}`),
        svg("rect", { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 6 }),
        svg("text", { x: 9, y: 16 }, text),
        svg("text", { x: 9, y: 29, class: "time" }, `${time(operation.times[EXECUTING])} – ${operation.outcome}`));
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
