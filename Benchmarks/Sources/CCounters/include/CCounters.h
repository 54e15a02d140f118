#ifndef CCOUNTERS_H
#define CCOUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build can count allocations: on Linux with glibc, without a sanitizer.
bool counters_canCountAllocations(void);

/// Starts or stops counting. While stopped, a call of the allocator costs an additional load and branch.
void counters_setCounting(bool isCounting);

/// The number of blocks allocated while counting, on all threads; reallocations count too.
int64_t counters_allocationCount(void);

/// The blocks allocated while counting, less those freed.
int64_t counters_liveCount(void);

/// The bytes allocated while counting, less those freed: the real sizes of the blocks with the allocator's overhead.
/// Negative if more was freed.
int64_t counters_liveBytes(void);

/// The context switches of the process, voluntary and involuntary; -1 if unknown.
int64_t counters_contextSwitches(void);

/// The resident memory of the process in bytes; -1 if unknown.
int64_t counters_residentBytes(void);

#endif
