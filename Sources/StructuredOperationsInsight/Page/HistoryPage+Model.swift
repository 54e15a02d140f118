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
      dependents: [], times: [0, 0, 0, 0], critical: false,
    }));
    for (const operation of operations) {
      for (const dependency of operation.dependencies) operations[dependency].dependents.push(operation.index);
      const spans = operation.spans;
      for (let i = 0; i < spans.length; i += 5) operation.times[spans[i]] += spans[i + 2] - spans[i + 1];
    }
    for (const index of data.critical) operations[index].critical = true;

    const time = (microseconds) => {
      for (const [unit, size] of [["s", 1e6], ["ms", 1e3], ["µs", 1]]) {
        const value = microseconds / size;
        if (value >= 1) return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`;
      }
      return microseconds > 0 ? `${Math.round(microseconds * 1000)} ns` : "0";
    };
    const count = (number) => number.toLocaleString("en").replaceAll(",", "\u202f");
    const label = (operation) => operation.name === "" ? "(no name)" : operation.name;
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
    """#
}
