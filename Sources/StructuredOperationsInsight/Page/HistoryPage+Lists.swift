extension HistoryPage {
  /// Figures, the chosen operation, the critical path, what waits cost, other limits.
  static let lists = #"""
    const SHOWN = 300;
    const fact = (list, name, ...value) => list.append(make("div", "", make("dt", "", name), make("dd", "", ...value)));

    const figures = byId("figures");
    const outcomes = (outcome) => operations.reduce((sum, each) => sum + (each.shown === outcome ? 1 : 0), 0);
    fact(figures, "operations", count(operations.length));
    if (data.forgotten > 0) fact(figures, "forgotten", count(data.forgotten));
    fact(figures, "duration", time(data.duration));
    fact(figures, "slots used", count(rows.reduce((sum, row) => sum + (row.title === undefined ? 1 : 0), 0)));
    fact(figures, "slots' time used", `${Math.round(data.utilization * 100)} %`);
    for (const outcome of ["failed", "skipped", "cancelled", "unfinished"]) {
      const number = outcomes(outcome);
      if (number > 0) fact(figures, outcome, count(number));
    }
    fact(figures, "executing, in all", time(operations.reduce((sum, { times }) => sum + times[EXECUTING], 0)));

    /// A table with a headline; the columns in `numbers` are set to the right.
    const fill = (table, titles, lines, numbers, more = 0) => {
      const cell = (tag, content, i) => make(tag, numbers.includes(i) ? "number" : "", content);
      const body = make("tbody", "", ...lines.map((line) => make("tr", "", ...line.map((c, i) => cell("td", c, i)))));
      if (more > 0) {
        const last = make("td", "hint", `… and ${count(more)} more`);
        last.colSpan = titles.length;
        body.append(make("tr", "", last));
      }
      const head = make("tr", "", ...titles.map((title, i) => {
        const element = cell("th", title === SHARE ? make("span", "unseen", title) : title, i);
        element.scope = "col";
        return element;
      }));
      table.replaceChildren(make("thead", "", head), body);
    };
    const SHARE = "share of the most";
    const share = (part, all) => {
      const bar = make("i"), percent = all > 0 ? part / all * 100 : 0;
      bar.style.width = `${percent > 0 ? Math.max(1, percent) : 0}%`;
      const element = make("span", "share", bar);
      [element.role, element.ariaLabel] = ["img", `${Math.round(percent)} %`];
      return element;
    };

    {
      const path = data.critical.map((index) => operations[index]);
      const work = path.reduce((sum, operation) => sum + operation.times[EXECUTING], 0);
      byId("path-hint").textContent = path.length === 0 ? "Nothing has run."
        : `With slots for all, and no limit, barrier or start rate in the way, it would have taken `
          + `${time(data.widths.at(-1)[1])}: ${count(path.length)} of ${count(operations.length)} operations, which `
          + `execute for ${time(work)}.` + (path[0].added > 0 ? ` The first was added at ${time(path[0].added)}.` : "");
      const longest = path.reduce((most, operation) => Math.max(most, operation.times[EXECUTING]), 0);
      fill(byId("path"), ["operation", "executing", SHARE], path.slice(0, SHOWN).map((operation) => [
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
      // When an operation could have gone on, as far as others are concerned; its queue may have held it up.
      const freeSince = ({ spans, added }) => {
        for (let i = 0; i < spans.length; i += 5) if (spans[i] !== BLOCKED) return spans[i + 1];
        return spans.length > 0 ? spans[spans.length - 3] : added;
      };
      for (const { queue, spans, dependencies } of operations) {
        for (let i = 0; i < spans.length; i += 5) {
          const [kind, start, end, , told] = spans.slice(i, i + 5);
          if (kind === EXECUTING) continue;
          // Of what is blocked still, the history tells no cause: it has not ended.
          const isOpen = kind === BLOCKED && told < 0;
          const cause = isOpen ? dependencies.find((index) => operations[index].finished < 0) ?? -1 : told;
          const length = end - (cause < 0 ? start : Math.max(start, freeSince(operations[cause])));
          if (length <= 0) continue;
          // The history does not tell what a ready operation lacks.
          if (kind === READY) note(`q${queue}`, `its turn in ${data.queues[queue]}`, length);
          else if (cause >= 0) note(cause, operations[cause], length);
          else if (cause < -1) note(cause, `everything in ${data.queues[-2 - cause]}`, length);
          else if (kind === WAITING) note("w", "a pause, or something outside of the queues", length);
          else note("", "what is not told", length);
        }
      }
      const sorted = [...causes.values()].sort((one, other) => other.total - one.total);
      const most = sorted.length > 0 ? sorted[0].total : 0;
      fill(byId("waits"), ["waited for", "waits", "time", SHARE], sorted.slice(0, SHOWN).map((cause) => [
        typeof cause.content === "string"
          ? Object.assign(make("em", "", cause.content), { title: cause.content }) : link(cause.content),
        count(cause.number), time(cause.total), share(cause.total, most),
      ]), [1, 2], sorted.length - SHOWN);
    }

    {
      const most = data.widths.reduce((most, width) => Math.max(most, width[1]), data.duration);
      const line = (title, duration) => [title, time(duration), share(duration, most)];
      const widths = data.widths.map(([slots, duration]) => line(slots < 0 ? "for all" : count(slots), duration));
      if (data.widths.length === 1) {
        byId("limits-hint").textContent += " With more than 20\u202f000 operations the duration with slots for all is the only one.";
      }
      fill(byId("limits"), ["slots", "duration", SHARE], [line("as it was", data.duration), ...widths], [1]);
    }

    const PRIORITIES = { "-8": "veryLow", "-4": "low", 0: "normal", 4: "high", 8: "veryHigh" };
    const showDetails = () => {
      const details = byId("details");
      const operation = operations[chosen];
      const hadFocus = byId("details-section").contains(document.activeElement);
      document.documentElement.classList.toggle("full-details", operation !== undefined);
      byId("choose-none").hidden = !operation;
      // The button with the focus is about to go.
      if (hadFocus) byId("details-title").focus({ preventScroll: true });
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
      fact(list, "outcome", operation.shown + (operation.cancelled && operation.outcome !== "cancelled"
        ? ", cancelled as well" : "") + (operation.failure ? `: ${operation.failure}` : ""));
      fact(list, "priority", PRIORITIES[operation.priority] ?? String(operation.priority));
      fact(list, "added", exactly(operation.added));
      if (operation.begin >= 0) fact(list, "began", exactly(operation.begin));
      if (operation.finished >= 0) fact(list, "finished", exactly(operation.finished));
      KINDS.forEach((kind, i) => { if (operation.times[i] > 0) fact(list, kind, time(operation.times[i])); });
      if (operation.critical) fact(list, "critical path", "yes");
      if (operation.parent >= 0) fact(list, "added by", links([operation.parent]));
      if (operation.dependencies.length > 0) fact(list, "depends on", links(operation.dependencies));
      if (operation.dependents.length > 0) fact(list, "dependents", links(operation.dependents));
      if (operation.children.length > 0) fact(list, "has added", links(operation.children));
      details.replaceChildren(list, ...operation.spans.length > 0 ? [course(operation)] : []);
    };
    /// How the operation stood, one line for each span.
    const course = ({ spans }) => {
      const table = make("table", "course"), lines = [];
      table.ariaLabel = "How it stood";
      for (let i = 0; i < spans.length && lines.length < SHOWN; i += 5) {
        const [kind, start, end, slot, cause] = spans.slice(i, i + 5);
        lines.push([
          KINDS[kind], exactly(start), exactly(end), time(end - start), kind === EXECUTING ? String(slot) : "",
          cause >= 0 ? link(operations[cause]) : cause < -1 ? `everything in ${data.queues[-2 - cause]}`
            : kind === READY ? "its turn" : "",
        ]);
      }
      fill(table, ["state", "from", "to", "for", "slot", "waited for"], lines, [1, 2, 3, 4],
        spans.length / 5 - lines.length);
      return table;
    };
    listeners.push(showDetails);
    """#
}
