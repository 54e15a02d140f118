/// Keeps the address of an object from being used again, with its own memory and nothing that it held; never read.
struct JournalAddress: Sendable {
  unowned let object: JournalStateMachine.Object
}
