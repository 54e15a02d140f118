extension HistoryPage {
  /// Figures, the chosen operation, the critical path, what waits cost, other limits.
  static let lists = #"""
    const SHOWN = 300;
    const fact = (list, name, ...value) => list.append(make("div", "", make("dt", "", name), make("dd", "", ...value)));

    const figures = byId("figures");
    const outcomes = (outcome) => operations.reduce((sum, each) => sum + (each.outcome === outcome ? 1 : 0), 0);
    fact(figures, "operations", count(operations.length));
    if (data.forgotten > 0) fact(figures, "forgotten", count(data.forgotten));
    fact(figures, "duration", time(data.duration));
    fact(figures, "slots used", count(rows.reduce((sum, row) => sum + (row.title === undefined ? 1 : 0), 0)));
    fact(figures, "utilization", `${Math.round(data.utilization * 100)} %`);
    for (const outcome of ["failed", "cancelled", "unfinished"]) {
      const number = outcomes(outcome);
      if (number > 0) fact(figures, outcome, count(number));
    }
    const sums = operations.reduce((sums, { times }) => sums.map((sum, i) => sum + times[i]), [0, 0, 0, 0]);
    KINDS.forEach((kind, i) => fact(figures, `${kind}, in all`, time(sums[i])));

    /// A table with a headline; the columns in `numbers` are set to the right.
    const fill = (table, titles, lines, numbers, more = 0) => {
      const cell = (tag, content, i) => {
        const element = make(tag, numbers.includes(i) ? "number" : "", content);
        if (content instanceof Element && content.className === "share") element.className = "share-cell";
        return element;
      };
      const body = make("tbody", "", ...lines.map((line) => make("tr", "", ...line.map((c, i) => cell("td", c, i)))));
      if (more > 0) {
        const last = make("td", "hint", `… and ${count(more)} more`);
        last.colSpan = titles.length;
        body.append(make("tr", "", last));
      }
      const head = make("tr", "", ...titles.map((title, i) => cell("th", title, i)));
      table.replaceChildren(make("thead", "", head), body);
    };
    const share = (part, all) => {
      const bar = make("span", "share");
      bar.style.width = `${all > 0 ? Math.max(1, part / all * 100) : 0}%`;
      return bar;
    };

    {
      const path = data.critical.map((index) => operations[index]);
      const work = path.reduce((sum, operation) => sum + operation.times[EXECUTING], 0);
      byId("path-hint").textContent = path.length === 0 ? "Nothing has run."
        : `With slots for all it would have taken ${time(data.widths.at(-1)[1])}: ${count(path.length)} of `
          + `${count(operations.length)} operations, which execute for ${time(work)}.`;
      const longest = path.reduce((most, operation) => Math.max(most, operation.times[EXECUTING]), 0);
      fill(byId("path"), ["operation", "executing", ""], path.slice(0, SHOWN).map((operation) => [
        link(operation), time(operation.times[EXECUTING]), share(operation.times[EXECUTING], longest),
      ]), [1], path.length - SHOWN);
    }

    {
      const causes = new Map();
      const note = (key, content, length) => {
        const known = causes.get(key) ?? { content, total: 0, number: 0 };
        known.total += length;
        known.number += 1;
        causes.set(key, known);
      };
      for (const { queue, spans } of operations) {
        for (let i = 0; i < spans.length; i += 5) {
          const length = spans[i + 2] - spans[i + 1];
          if (spans[i] === EXECUTING || length <= 0) continue;
          // The history does not tell what a ready operation lacks.
          if (spans[i] === READY) note(`q${queue}`, `its turn in ${data.queues[queue]}`, length);
          else if (spans[i + 4] >= 0) note(spans[i + 4], operations[spans[i + 4]], length);
          else note("", "what is not told", length);
        }
      }
      const sorted = [...causes.values()].sort((one, other) => other.total - one.total);
      const most = sorted.length > 0 ? sorted[0].total : 0;
      fill(byId("waits"), ["waited for", "waits", "time", ""], sorted.slice(0, SHOWN).map((cause) => [
        typeof cause.content === "string" ? make("em", "", cause.content) : link(cause.content), count(cause.number),
        time(cause.total), share(cause.total, most),
      ]), [1, 2], sorted.length - SHOWN);
    }

    {
      const most = data.widths.reduce((most, width) => Math.max(most, width[1]), 0);
      fill(byId("limits"), ["slots", "duration", ""], data.widths.map(([slots, duration]) => [
        slots < 0 ? "for all" : count(slots), time(duration), share(duration, most),
      ]), [1]);
    }

    const showDetails = () => {
      const details = byId("details");
      const operation = operations[chosen];
      if (!operation) {
        details.replaceChildren(make("p", "hint", "None: click one in the timeline, the graph or a table."));
        return;
      }
      const list = make("dl");
      const links = (indices) => {
        const shown = indices.slice(0, 30).map((index) => link(operations[index]));
        if (indices.length > 30) shown.push(`… and ${count(indices.length - 30)} more`);
        return make("span", "links", ...shown);
      };
      fact(list, "name", label(operation));
      fact(list, "queue", data.queues[operation.queue]);
      fact(list, "outcome", operation.outcome + (operation.cancelled && operation.outcome !== "cancelled"
        ? ", cancelled as well" : "") + (operation.failure ? `: ${operation.failure}` : ""));
      fact(list, "priority", operation.priority);
      fact(list, "added", time(operation.added));
      if (operation.finished >= 0) fact(list, "finished", time(operation.finished));
      KINDS.forEach((kind, i) => { if (operation.times[i] > 0) fact(list, kind, time(operation.times[i])); });
      if (operation.critical) fact(list, "critical path", "yes");
      if (operation.parent >= 0) fact(list, "added by", links([operation.parent]));
      if (operation.dependencies.length > 0) fact(list, "depends on", links(operation.dependencies));
      if (operation.dependents.length > 0) fact(list, "dependents", links(operation.dependents));
      details.replaceChildren(list);
    };
    listeners.push(showDetails);
    """#
}
