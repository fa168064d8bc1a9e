#pragma once
#include <sched.h>
#include <time.h>
typedef __fencepost_thread pthread_t;
typedef __fencepost_ignored pthread_attr_t;
#ifdef __FENCEPOST_MUTEX_KINDS
struct __fencepost_kind { int kind; };
struct __fencepost_kinds { __fencepost_mutex lock; int kind; int count; struct __fencepost_kinds *next; };
typedef struct __fencepost_kinds __fencepost_mutex_of_kind;
typedef struct __fencepost_kind __fencepost_kind_of_mutex;
#define pthread_mutex_t __fencepost_mutex_of_kind
#define pthread_mutexattr_t __fencepost_kind_of_mutex
int pthread_mutex_init_of_kind(struct __fencepost_kinds *mutex, const struct __fencepost_kind *kind);
int pthread_mutex_lock_of_kind(struct __fencepost_kinds *mutex);
int pthread_mutex_trylock_of_kind(struct __fencepost_kinds *mutex);
int pthread_mutex_unlock_of_kind(struct __fencepost_kinds *mutex);
int pthread_mutex_timedlock_of_kind(struct __fencepost_kinds *mutex, const struct timespec *until);
int pthread_mutex_clocklock_of_kind(struct __fencepost_kinds *mutex, clockid_t clock, const struct timespec *until);
int pthread_cond_wait_of_kind(__fencepost_condition *condition, struct __fencepost_kinds *mutex);
int pthread_cond_timedwait_of_kind(__fencepost_condition *condition, struct __fencepost_kinds *mutex,
                                   const struct timespec *until);
#define pthread_mutexattr_init(attribute) ((attribute)->kind = 0)
#define pthread_mutexattr_settype(attribute, which) ((attribute)->kind = (which), 0)
#define pthread_mutexattr_gettype(attribute, which) (*(which) = (attribute)->kind, 0)
#define pthread_mutexattr_destroy(attribute) ((void)(attribute), 0)
#define pthread_mutexattr_setprotocol(attribute, which) ((void)(attribute), (void)(which), 0)
#define pthread_mutexattr_setpshared(attribute, which) ((void)(attribute), (void)(which), 0)
#define pthread_mutexattr_setrobust(attribute, which) ((void)(attribute), (void)(which), 0)
#define pthread_mutex_init pthread_mutex_init_of_kind
#define pthread_mutex_lock pthread_mutex_lock_of_kind
#define pthread_mutex_trylock pthread_mutex_trylock_of_kind
#define pthread_mutex_unlock pthread_mutex_unlock_of_kind
#define pthread_mutex_timedlock pthread_mutex_timedlock_of_kind
#define pthread_mutex_clocklock pthread_mutex_clocklock_of_kind
#define pthread_mutex_destroy(mutex) ((void)(mutex), 0)
#define pthread_cond_wait pthread_cond_wait_of_kind
#define pthread_cond_timedwait pthread_cond_timedwait_of_kind
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { .kind = 1 }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { .kind = 2 }
#else
typedef __fencepost_mutex pthread_mutex_t;
typedef __fencepost_ignored pthread_mutexattr_t;
/* Where the text names these, it is read again with the kinds of mutexes. */
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { __fencepost_mutex_kind }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { __fencepost_mutex_kind }
#endif
typedef __fencepost_condition pthread_cond_t;
typedef __fencepost_ignored pthread_condattr_t;
typedef __fencepost_rwlock pthread_rwlock_t;
typedef __fencepost_ignored pthread_rwlockattr_t;
typedef __fencepost_barrier pthread_barrier_t;
typedef __fencepost_ignored pthread_barrierattr_t;
typedef __fencepost_spinlock pthread_spinlock_t;
typedef __fencepost_once pthread_once_t;
typedef unsigned pthread_key_t;
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
void *pthread_getspecific(pthread_key_t key);
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0}
#define PTHREAD_ONCE_INIT {0}
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#ifdef __FENCEPOST_MUTEX_KINDS
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#else
#define PTHREAD_MUTEX_RECURSIVE __fencepost_mutex_kind
#define PTHREAD_MUTEX_ERRORCHECK __fencepost_mutex_kind
#endif
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#ifndef __FENCEPOST_MUTEX_KINDS
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until);
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until);
#endif
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until);
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define pthread_equal(a, b) ((a) == (b))
/* In between, `pthread_exit` calls the handler. */
#define pthread_cleanup_push(routine, argument) \
    do { \
        void (*__cleanup)(void *) = (routine); \
        void *__cleaned = (argument); \
        __fencepost_cleanup_begin(__cleanup, __cleaned);
#define pthread_cleanup_pop(execute) \
        __fencepost_cleanup_end(); \
        if (execute) \
            __cleanup(__cleaned); \
    } while (0)
