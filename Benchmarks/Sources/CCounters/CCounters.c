#include "CCounters.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTERS_SANITIZED 1
#endif
#endif

// MARK: Allocations

static atomic_bool isCountingAllocations;
static _Atomic int64_t allocationCount;
static _Atomic int64_t liveCount;
static _Atomic int64_t liveBytes;

void counters_setCounting(bool isCounting) {
  atomic_store_explicit(&isCountingAllocations, isCounting, memory_order_relaxed);
}

int64_t counters_allocationCount(void) { return atomic_load_explicit(&allocationCount, memory_order_relaxed); }

int64_t counters_liveCount(void) { return atomic_load_explicit(&liveCount, memory_order_relaxed); }

int64_t counters_liveBytes(void) { return atomic_load_explicit(&liveBytes, memory_order_relaxed); }

#if defined(__linux__) && defined(__GLIBC__) && !defined(COUNTERS_SANITIZED)

#include <malloc.h>

bool counters_canCountAllocations(void) { return true; }

// The dynamic linker prefers these functions to glibc's, which supports that and offers its own under these names:
// https://sourceware.org/glibc/manual/latest/html_node/Replacing-malloc.html
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// The bytes that a block takes of the heap: glibc keeps an additional word with each.
static int64_t footprint(void *block) { return (int64_t)(malloc_usable_size(block) + sizeof(size_t)); }

static inline bool isCounting(void) {
  return __builtin_expect(atomic_load_explicit(&isCountingAllocations, memory_order_relaxed), false);
}

static void add(int64_t count, int64_t bytes) {
  atomic_fetch_add_explicit(&liveCount, count, memory_order_relaxed);
  atomic_fetch_add_explicit(&liveBytes, bytes, memory_order_relaxed);
}

static void *allocated(void *block) {
  if (isCounting() && block != NULL) {
    atomic_fetch_add_explicit(&allocationCount, 1, memory_order_relaxed);
    add(1, footprint(block));
  }
  return block;
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
  int64_t before = isCounting() && block != NULL ? footprint(block) : 0;
  void *moved = __libc_realloc(block, size);
  // If the result is NULL, the block is unchanged, unless the size is 0, which frees it.
  if (before != 0 && (moved != NULL || size == 0)) { add(-1, -before); }
  return allocated(moved);
}

void *memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) { return EINVAL; }
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) { return ENOMEM; }
  *result = allocated(block);
  return 0;
}

void free(void *block) {
  if (isCounting() && block != NULL) { add(-1, -footprint(block)); }
  __libc_free(block);
}

#else

bool counters_canCountAllocations(void) { return false; }

#endif

// MARK: The process

#if defined(__linux__) || defined(__APPLE__)

#include <sys/resource.h>

int64_t counters_contextSwitches(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) { return -1; }
  return (int64_t)usage.ru_nvcsw + (int64_t)usage.ru_nivcsw;
}

#else

int64_t counters_contextSwitches(void) { return -1; }

#endif

#if defined(__linux__)

#include <unistd.h>

int64_t counters_residentBytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) { return -1; }
  long long all = 0, resident = 0;
  int found = fscanf(file, "%lld %lld", &all, &resident);
  fclose(file);
  return found == 2 ? resident * sysconf(_SC_PAGESIZE) : -1;
}

#elif defined(__APPLE__)

#include <mach/mach.h>

int64_t counters_residentBytes(void) {
  struct mach_task_basic_info info;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  kern_return_t status = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
  return status == KERN_SUCCESS ? (int64_t)info.resident_size : -1;
}

#else

int64_t counters_residentBytes(void) { return -1; }

#endif
