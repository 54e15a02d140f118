/// A clock that can tell any moment, however far it is away.
///
/// A sleep on it is never split into parts. So a virtual clock comes to the end of a time that means "for ever" in one step.
package protocol UnboundedClock: Clock {}
