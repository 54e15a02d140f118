#ifndef CCOUNTERS_H
#define CCOUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts what is allocated: on Linux with glibc, without a sanitizer.
bool counters_canCountAllocations(void);

/// Counts from now on, or no more. Not counting costs a load and a branch for each call.
void counters_setCounting(bool isCounting);

/// How many blocks have been asked for while counting, on all threads. Reallocations are counted, too.
int64_t counters_allocationCount(void);

/// The blocks that have been given out while counting, less those that have been given back.
int64_t counters_liveCount(void);

/// The bytes that have been given out while counting, less those that have been given back: blocks as large as the
/// allocator made them, with what it keeps beside each. Below zero where more was given back.
int64_t counters_liveBytes(void);

/// How often the threads of the process have been switched, of their own will and not; -1 where that is not known.
int64_t counters_contextSwitches(void);

/// The resident memory of the process in bytes; -1 where that is not known.
int64_t counters_residentBytes(void);

#endif
