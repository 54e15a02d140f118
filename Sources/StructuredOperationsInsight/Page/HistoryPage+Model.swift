extension HistoryPage {
  /// Reads the data; formats times; keeps what is chosen.
  static let model = #"""
    const byId = (id) => document.getElementById(id);
    const data = JSON.parse(byId("history").textContent);
    const KINDS = ["blocked", "ready", "executing", "waiting"];
    const BLOCKED = 0, READY = 1, EXECUTING = 2, WAITING = 3;

    const operations = data.operations.map((row, index) => ({
      index, id: row[0], name: row[1], queue: row[2], priority: row[3], outcome: row[4], failure: row[5],
      cancelled: row[6] === 1, dependencies: row[7], parent: row[8], added: row[9], finished: row[10], spans: row[11],
      dependents: [], children: [], times: [0, 0, 0, 0], begin: -1, critical: false, shown: row[4],
    }));
    for (const operation of operations) {
      for (const dependency of operation.dependencies) operations[dependency].dependents.push(operation.index);
      if (operation.parent >= 0) operations[operation.parent].children.push(operation.index);
      const spans = operation.spans;
      for (let i = 0; i < spans.length; i += 5) {
        operation.times[spans[i]] += spans[i + 2] - spans[i + 1];
        if (spans[i] === EXECUTING && operation.begin < 0) operation.begin = spans[i + 1];
      }
      // It has failed because another one did, and has not run.
      if (operation.outcome === "failed" && operation.begin < 0) operation.shown = "skipped";
    }
    for (const index of data.critical) operations[index].critical = true;

    const UNITS = [["s", 1e6], ["ms", 1e3], ["µs", 1], ["ns", 1e-3]];
    /// A stretch of time, with three digits.
    const time = (microseconds) => {
      const seconds = Math.round(microseconds / 1e6);
      if (seconds >= 3600) return `${count(Math.floor(seconds / 3600))} h ${Math.floor(seconds % 3600 / 60)} min`;
      if (seconds >= 600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
      for (const [unit, size] of UNITS) {
        const value = microseconds / size;
        const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
        if (rounded >= 1) return `${rounded} ${unit}`;
      }
      return "0";
    };
    /// A moment, with all its digits, or as many as a step to the next one needs.
    const exactly = (microseconds, step) => {
      if (microseconds <= 0) return "0";
      const inUnit = (value, [unit, size]) => {
        if (step === undefined) return `${Number((value / size).toFixed(Math.round(Math.log10(size)) + 3))} ${unit}`;
        return `${(value / size).toFixed(Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)))} ${unit}`;
      };
      if (microseconds < 600e6) {
        const longest = step === undefined ? microseconds : view.to;
        return inUnit(microseconds, UNITS.find(([, size]) => longest >= size) ?? UNITS.at(-1));
      }
      const minutes = Math.floor(microseconds / 60e6), seconds = inUnit(microseconds - minutes * 60e6, UNITS[0]);
      if (minutes < 60) return `${minutes} min ${seconds}`;
      return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min ${seconds}`;
    };
    const count = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
    const label = (operation) => operation.name.trim() === "" ? "(no name)" : operation.name;
    const onOneLine = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
    /// Among other words a name that is written from right to left, or turns around what follows, does not change their order.
    const isolated = (text) => `\u2068${onOneLine(text)}\u2069`;
    const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

    // Elements are made of text and other elements only; no string is ever read as markup.
    const make = (tag, className, ...children) => {
      const element = document.createElement(tag);
      if (className) element.className = className;
      element.append(...children.map((child) => typeof child === "number" ? String(child) : child));
      return element;
    };
    const link = (operation) => {
      const button = make("button", "", onOneLine(label(operation)));
      button.title = label(operation);
      button.type = "button";
      button.addEventListener("click", () => choose(operation.index));
      return button;
    };

    let chosen = -1;
    const listeners = [];
    const choose = (index) => {
      if (index === chosen) return;
      chosen = index;
      for (const listener of listeners) listener();
    };
    // In the field it ends the search.
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && event.target !== byId("search")) choose(-1);
    });
    byId("choose-none").addEventListener("click", () => choose(-1));
    """#
}
