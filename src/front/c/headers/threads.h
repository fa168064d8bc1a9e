#pragma once
#include <time.h>
typedef __fencepost_thread thrd_t;
#ifdef __FENCEPOST_MUTEX_KINDS
#include <pthread.h>
typedef struct __fencepost_kinds __fencepost_mtx_of_kind;
#define mtx_t __fencepost_mtx_of_kind
int mtx_init_of_kind(struct __fencepost_kinds *mutex, int type);
int mtx_lock_of_kind(struct __fencepost_kinds *mutex);
int mtx_trylock_of_kind(struct __fencepost_kinds *mutex);
int mtx_timedlock_of_kind(struct __fencepost_kinds *mutex, const struct timespec *until);
int mtx_unlock_of_kind(struct __fencepost_kinds *mutex);
int cnd_wait_of_kind(__fencepost_condition *condition, struct __fencepost_kinds *mutex);
int cnd_timedwait_of_kind(__fencepost_condition *condition, struct __fencepost_kinds *mutex,
                          const struct timespec *until);
#define mtx_init mtx_init_of_kind
#define mtx_lock mtx_lock_of_kind
#define mtx_trylock mtx_trylock_of_kind
#define mtx_timedlock mtx_timedlock_of_kind
#define mtx_unlock mtx_unlock_of_kind
#define mtx_destroy(mutex) ((void)(mutex))
#define cnd_wait cnd_wait_of_kind
#define cnd_timedwait cnd_timedwait_of_kind
#define mtx_recursive 1
#else
typedef __fencepost_mutex mtx_t;
/* Where the text names it, it is read again with the kinds of mutexes. */
#define mtx_recursive __fencepost_mutex_kind
#endif
typedef __fencepost_condition cnd_t;
typedef __fencepost_once once_flag;
typedef unsigned tss_t;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
int tss_set(tss_t key, void *value);
void *tss_get(tss_t key);
#ifndef __FENCEPOST_MUTEX_KINDS
int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
#endif
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_timed = 2 };
#define thread_local _Thread_local
#define ONCE_FLAG_INIT {0}
#define TSS_DTOR_ITERATIONS 4
#define thrd_equal(a, b) ((a) == (b))
