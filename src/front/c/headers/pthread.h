#pragma once
#include <sched.h>
#include <time.h>
typedef __fencepost_thread pthread_t;
typedef __fencepost_ignored pthread_attr_t;
typedef __fencepost_mutex pthread_mutex_t;
typedef __fencepost_ignored pthread_mutexattr_t;
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
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP __fencepost_recursive_mutexes_are_not_supported
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0}
#define PTHREAD_ONCE_INIT {0}
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define pthread_equal(a, b) ((a) == (b))
/* In between, a handler runs only if `pthread_cleanup_pop` says so: ending the thread there is refused. */
#define pthread_cleanup_push(routine, argument) \
    do { \
        void (*__cleanup)(void *) = (routine); \
        void *__cleaned = (argument); \
        __fencepost_cleanup_begin();
#define pthread_cleanup_pop(execute) \
        __fencepost_cleanup_end(); \
        if (execute) \
            __cleanup(__cleaned); \
    } while (0)
