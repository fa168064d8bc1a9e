#pragma once
#include <errno.h>
#include <pthread.h>
#include <threads.h>
/* Recursive and error-checking mutexes: the implementation of all mutexes in a program that asks for either kind. In
   glibc (nptl/pthread_mutex_lock.c) a mutex stores its owner, and every thread that locks it reads that field. The only
   question is whether the owner is the thread itself, so here each thread keeps a list of the mutexes that it holds, which
   no other thread reads. Locking a mutex again only counts, as in glibc: it is no fence. */
#undef pthread_mutex_init
#undef pthread_mutex_lock
#undef pthread_mutex_trylock
#undef pthread_mutex_unlock
#undef pthread_cond_wait
#undef pthread_cond_timedwait
#undef mtx_init
#undef mtx_lock
#undef mtx_trylock
#undef mtx_unlock
#undef cnd_wait
#undef cnd_timedwait
static _Thread_local struct __fencepost_kinds *__fencepost_held;
static int __fencepost_holds(struct __fencepost_kinds *mutex)
{
    struct __fencepost_kinds *one = __fencepost_held;
    while (one && one != mutex)
        one = one->next;
    return one != NULL;
}
static void __fencepost_hold(struct __fencepost_kinds *mutex)
{
    mutex->count = 1;
    mutex->next = __fencepost_held;
    __fencepost_held = mutex;
}
static void __fencepost_let_go(struct __fencepost_kinds *mutex)
{
    struct __fencepost_kinds **link = &__fencepost_held;
    while (*link != mutex)
        link = &(*link)->next;
    *link = mutex->next;
}
#ifdef NEEDS_pthread_mutex_init_of_kind
int pthread_mutex_init_of_kind(struct __fencepost_kinds *mutex, const struct __fencepost_kind *kind)
{
    pthread_mutex_init(&mutex->lock, NULL);
    mutex->kind = kind ? kind->kind : PTHREAD_MUTEX_NORMAL;
    return 0;
}
#endif
#ifdef NEEDS_pthread_mutex_lock_of_kind
int pthread_mutex_lock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return pthread_mutex_lock(&mutex->lock);
    if (__fencepost_holds(mutex)) {
        if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        mutex->count++;
        return 0;
    }
    pthread_mutex_lock(&mutex->lock);
    __fencepost_hold(mutex);
    return 0;
}
#endif
#ifdef NEEDS_pthread_mutex_trylock_of_kind
int pthread_mutex_trylock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return pthread_mutex_trylock(&mutex->lock);
    if (__fencepost_holds(mutex)) {
        if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
            return EBUSY;
        mutex->count++;
        return 0;
    }
    if (pthread_mutex_trylock(&mutex->lock) != 0)
        return EBUSY;
    __fencepost_hold(mutex);
    return 0;
}
#endif
/* Who gives up after a time has found the mutex taken, by a locked instruction; its owner has not. */
static int __fencepost_lock_in_time(struct __fencepost_kinds *mutex)
{
    int is_listed = mutex->kind != PTHREAD_MUTEX_NORMAL;
    if (is_listed && __fencepost_holds(mutex)) {
        if (mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        mutex->count++;
        return 0;
    }
    __sync_synchronize();
    if (pthread_mutex_trylock(&mutex->lock) != 0) {
        if (__VERIFIER_nondet_bool())
            return ETIMEDOUT;
        pthread_mutex_lock(&mutex->lock);
    }
    if (is_listed)
        __fencepost_hold(mutex);
    return 0;
}
#ifdef NEEDS_pthread_mutex_timedlock_of_kind
int pthread_mutex_timedlock_of_kind(struct __fencepost_kinds *mutex, const struct timespec *until)
{
    return __fencepost_lock_in_time(mutex);
}
#endif
#ifdef NEEDS_pthread_mutex_clocklock_of_kind
int pthread_mutex_clocklock_of_kind(struct __fencepost_kinds *mutex, clockid_t clock, const struct timespec *until)
{
    return __fencepost_lock_in_time(mutex);
}
#endif
#ifdef NEEDS_mtx_timedlock_of_kind
int mtx_timedlock_of_kind(struct __fencepost_kinds *mutex, const struct timespec *until)
{
    return __fencepost_lock_in_time(mutex) == 0 ? thrd_success : thrd_timedout;
}
#endif
#ifdef NEEDS_pthread_mutex_unlock_of_kind
int pthread_mutex_unlock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return pthread_mutex_unlock(&mutex->lock);
    if (!__fencepost_holds(mutex))
        return EPERM;
    if (--mutex->count != 0)
        return 0;
    __fencepost_let_go(mutex);
    return pthread_mutex_unlock(&mutex->lock);
}
#endif
#ifdef NEEDS_pthread_cond_wait_of_kind
/* POSIX leaves open what happens if the mutex is owned twice. */
int pthread_cond_wait_of_kind(pthread_cond_t *condition, struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return pthread_cond_wait(condition, &mutex->lock);
    if (!__fencepost_holds(mutex))
        return EPERM;
    __VERIFIER_assert(mutex->count == 1);
    __fencepost_let_go(mutex);
    pthread_cond_wait(condition, &mutex->lock);
    __fencepost_hold(mutex);
    return 0;
}
#endif
#ifdef NEEDS_pthread_cond_timedwait_of_kind
int pthread_cond_timedwait_of_kind(pthread_cond_t *condition, struct __fencepost_kinds *mutex,
                                   const struct timespec *until)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return pthread_cond_timedwait(condition, &mutex->lock, until);
    if (!__fencepost_holds(mutex))
        return EPERM;
    __VERIFIER_assert(mutex->count == 1);
    __fencepost_let_go(mutex);
    int result = pthread_cond_timedwait(condition, &mutex->lock, until);
    __fencepost_hold(mutex);
    return result;
}
#endif
#ifdef NEEDS_mtx_init_of_kind
int mtx_init_of_kind(struct __fencepost_kinds *mutex, int type)
{
    mtx_init(&mutex->lock, mtx_plain);
    mutex->kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}
#endif
#ifdef NEEDS_mtx_lock_of_kind
int mtx_lock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return mtx_lock(&mutex->lock);
    if (__fencepost_holds(mutex)) {
        mutex->count++;
        return thrd_success;
    }
    mtx_lock(&mutex->lock);
    __fencepost_hold(mutex);
    return thrd_success;
}
#endif
#ifdef NEEDS_mtx_trylock_of_kind
int mtx_trylock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return mtx_trylock(&mutex->lock);
    if (__fencepost_holds(mutex)) {
        mutex->count++;
        return thrd_success;
    }
    if (mtx_trylock(&mutex->lock) != thrd_success)
        return thrd_busy;
    __fencepost_hold(mutex);
    return thrd_success;
}
#endif
#ifdef NEEDS_mtx_unlock_of_kind
/* C11 leaves open what happens if another thread has the mutex. */
int mtx_unlock_of_kind(struct __fencepost_kinds *mutex)
{
    if (mutex->kind != PTHREAD_MUTEX_NORMAL) {
        __VERIFIER_assert(__fencepost_holds(mutex));
        if (--mutex->count != 0)
            return thrd_success;
        __fencepost_let_go(mutex);
    }
    return mtx_unlock(&mutex->lock);
}
#endif
#ifdef NEEDS_cnd_wait_of_kind
int cnd_wait_of_kind(cnd_t *condition, struct __fencepost_kinds *mutex)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return cnd_wait(condition, &mutex->lock);
    __VERIFIER_assert(__fencepost_holds(mutex) && mutex->count == 1);
    __fencepost_let_go(mutex);
    int result = cnd_wait(condition, &mutex->lock);
    __fencepost_hold(mutex);
    return result;
}
#endif
#ifdef NEEDS_cnd_timedwait_of_kind
int cnd_timedwait_of_kind(cnd_t *condition, struct __fencepost_kinds *mutex, const struct timespec *until)
{
    if (mutex->kind == PTHREAD_MUTEX_NORMAL)
        return cnd_timedwait(condition, &mutex->lock, until);
    __VERIFIER_assert(__fencepost_holds(mutex) && mutex->count == 1);
    __fencepost_let_go(mutex);
    int result = cnd_timedwait(condition, &mutex->lock, until);
    __fencepost_hold(mutex);
    return result;
}
#endif
