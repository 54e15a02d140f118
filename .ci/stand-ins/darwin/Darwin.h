// What the libraries call of Apple's C library, as its headers declare it for Swift.
//
// Only for the type check of `.ci/apple-availability`, which runs where Apple's SDK is missing: the sizes of the types and
// the values of the constants mean nothing. When they come to call more, the check says what is not in scope;
// it is declared here then, with the nullability and the availability in asynchronous functions of the original.

#pragma once

#pragma clang assume_nonnull begin

#define UNAVAILABLE_FROM_ASYNC(message) \
  __attribute__((swift_attr("@_unavailableFromAsync(message: \"" message "\")")))

typedef __SIZE_TYPE__ size_t;

struct _opaque_pthread_t { long __sig; };
typedef struct _opaque_pthread_t *pthread_t;
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_attr_t pthread_attr_t;
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
struct _opaque_pthread_cond_t { long __sig; char __opaque[40]; };
typedef struct _opaque_pthread_cond_t pthread_cond_t;
struct _opaque_pthread_condattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
typedef unsigned long pthread_key_t;

#define PTHREAD_CREATE_DETACHED 2

// Threads.
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(
  pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable, void *_Nullable (*_Nonnull)(void *), void *_Nullable);

pthread_t pthread_self(void);

// The quality of service of a thread.
typedef enum qos_class : unsigned int {
  QOS_CLASS_USER_INTERACTIVE = 0x21,
  QOS_CLASS_USER_INITIATED = 0x19,
  QOS_CLASS_DEFAULT = 0x15,
  QOS_CLASS_UTILITY = 0x11,
  QOS_CLASS_BACKGROUND = 0x09,
} qos_class_t;
int pthread_set_qos_class_self_np(qos_class_t, int);

// Values of a thread.
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
UNAVAILABLE_FROM_ASYNC("Use Task Local Values instead")
void *_Nullable pthread_getspecific(pthread_key_t);
UNAVAILABLE_FROM_ASYNC("Use Task Local Values instead")
int pthread_setspecific(pthread_key_t, const void *_Nullable);

// Locks and conditions.
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
UNAVAILABLE_FROM_ASYNC("Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking")
int pthread_mutex_lock(pthread_mutex_t *);
UNAVAILABLE_FROM_ASYNC("Use OSAllocatedUnfairLock's withLock or NSLock for async-safe scoped locking")
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
struct timespec { long tv_sec; long tv_nsec; };
UNAVAILABLE_FROM_ASYNC("Use an asynchronous wait instead of a synchronous wait")
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *_Nullable);
// Darwin alone has it: waits for a time, and not until one.
int pthread_cond_timedwait_relative_np(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

// The clock and the machine.
typedef enum : unsigned int { CLOCK_REALTIME = 0 } clockid_t;
int clock_gettime(clockid_t, struct timespec *);
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int);

#pragma clang assume_nonnull end
