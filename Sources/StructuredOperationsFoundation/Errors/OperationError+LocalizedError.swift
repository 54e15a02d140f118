public import Foundation
public import StructuredOperations

extension OperationError: LocalizedError {
  /// The description, in English: what `localizedDescription` shows.
  public var errorDescription: String? { description }
}
