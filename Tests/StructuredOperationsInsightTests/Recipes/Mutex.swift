import StructuredOperations

// The thread sanitizer does not see the contended path of the standard library's `Mutex`; in builds for it the recipes take
// the core's lock under that name.
#if TSAN
  typealias Mutex = Guarded
#endif
