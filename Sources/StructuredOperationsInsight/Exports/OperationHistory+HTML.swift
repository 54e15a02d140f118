import StructuredOperations

extension OperationHistory {
  /// One page that shows the history in a browser and needs nothing else: no network, no other file.
  ///
  /// It has a timeline by queue and slot, the critical path, what waits cost by cause, what other limits would have
  /// cost, the graph of dependencies, and a table that can be sorted and searched. It follows the light or dark
  /// colours of the system, and can be used by keyboard. With 100 000 operations the page is about 20 MB and still
  /// opens. With more than 20 000 it tells no other limit than slots for all; see ``duration(atWidth:)``.
  ///
  /// ```swift
  /// try Data(journal.history.html().utf8).write(
  ///   to: URL(filePath: "operations.html"))
  /// ```
  ///
  /// - Parameter title: The headline, which is also the title of the page in the browser.
  /// - Complexity: O(n log n).
  public func html(title: String = "Operations") -> String {
    var json = JSONText()
    json.append(page: self)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escapedForHTML(title.onOneLine))</title>
      <style>
      \(HistoryPage.style)
      </style>
      </head>
      <body>
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
