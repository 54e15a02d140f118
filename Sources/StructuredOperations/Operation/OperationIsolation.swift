/// What lends an operation its executor, for members that are isolated to it.
///
/// The package isolates none: an operation's state has a lock, since ``AsyncOperation/cancel()`` and the snapshot are
/// there for synchronous code, too. So an operation is given one when it is first asked for; one of its own from the
/// beginning would make it larger by a quarter.
actor OperationIsolation {}
