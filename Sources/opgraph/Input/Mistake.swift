/// What is wrong at a place in a text.
struct Mistake: Error {
  /// In bytes from the start of the text.
  let offset: Int
  /// A second place, whose line the message ends with; nil if there is none.
  var other: Int?
  /// Called only for the mistakes that are shown: the search for a near name takes its time.
  let message: @Sendable () -> String
}
