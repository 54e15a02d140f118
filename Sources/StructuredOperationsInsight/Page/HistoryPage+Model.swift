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
      dependents: [], times: [0, 0, 0, 0], begin: -1, next: -1, critical: false, shown: row[4],
    }));
    for (const operation of operations) {
      for (const dependency of operation.dependencies) operations[dependency].dependents.push(operation.index);
      const spans = operation.spans;
      for (let i = 0; i < spans.length; i += 5) {
        operation.times[spans[i]] += spans[i + 2] - spans[i + 1];
        if (spans[i] === EXECUTING && operation.begin < 0) operation.begin = spans[i + 1];
      }
      // It has failed because another one did, and has not run.
      if (operation.outcome === "failed" && operation.begin < 0) operation.shown = "skipped";
    }
    data.critical.forEach((index, i) => {
      operations[index].critical = true;
      operations[index].next = data.critical[i + 1] ?? -1;
    });

    const time = (microseconds) => {
      const seconds = Math.round(microseconds / 1e6);
      if (seconds >= 3600) return `${count(Math.floor(seconds / 3600))} h ${Math.floor(seconds % 3600 / 60)} min`;
      if (seconds >= 600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
      for (const [unit, size] of [["s", 1e6], ["ms", 1e3], ["µs", 1]]) {
        const value = microseconds / size;
        if (value >= 1) return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`;
      }
      return microseconds > 0 ? `${Math.round(microseconds * 1000)} ns` : "0";
    };
    const count = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
    const label = (operation) => operation.name.trim() === "" ? "(no name)" : operation.name;
    const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

    // Elements are made of text and other elements only; no string is ever read as markup.
    const make = (tag, className, ...children) => {
      const element = document.createElement(tag);
      if (className) element.className = className;
      element.append(...children.map((child) => typeof child === "number" ? String(child) : child));
      return element;
    };
    const link = (operation) => {
      const button = make("button", "", label(operation));
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
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") choose(-1); });
    byId("choose-none").addEventListener("click", () => choose(-1));
    """#
}
