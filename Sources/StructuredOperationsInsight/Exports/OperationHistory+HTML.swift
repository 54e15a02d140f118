import StructuredOperations

extension OperationHistory {
  /// One page that shows the history in a browser and needs nothing else: no network, no other file.
  ///
  /// It has a timeline by queue and slot, the critical path, what waits cost by cause, what other limits would have
  /// cost, the graph of dependencies, and a table that can be sorted and searched. It follows the light or dark
  /// colours of the system, and can be used by keyboard. With 100 000 operations the page is about 20 MB and still
  /// opens. With more than 20 000 it tells no other limit than slots for all; see ``duration(atWidth:)``. Printed it has the
  /// first 5 000 operations of its table.
  ///
  /// Its scripts and its style stand in the page. Where a server sends a content security policy that forbids those, as some do
  /// for files of users, or JavaScript is turned off, the page has its headline and says why there is nothing else.
  ///
  /// ```swift
  /// try Data(journal.history.html().utf8).write(
  ///   to: URL(filePath: "operations.html"))
  /// ```
  ///
  /// - Parameter title: The headline, which is also the title of the page in the browser; "Operations" where it is empty.
  /// - Complexity: O(n log n).
  public func html(title: String = "Operations") -> String {
    var json = JSONText()
    json.append(page: self)
    let title = Self.escapedForHTML(title.isEmpty ? "Operations" : title.onOneLine)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(HistoryPage.style)
      </style>
      </head>
      <body>
      <header>
      <h1>\(title)</h1>
      \(HistoryPage.markup)
      <script type="application/json" id="history">\(json.text)</script>
      <script>
      "use strict";
      (() => {
      \(HistoryPage.model)
      \(HistoryPage.timeline)
      \(HistoryPage.timelineInput)
      \(HistoryPage.lists)
      \(HistoryPage.graph)
      \(HistoryPage.table)
      \(HistoryPage.start)
      })();
      </script>
      </body>
      </html>

      """
  }

  /// For the text of an element.
  private static func escapedForHTML(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
