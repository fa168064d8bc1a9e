#pragma once
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
/* What a program asks of the system. Texts that only people read have one character, which is any one. */
#define __FENCEPOST_ANY_TEXT(text, size) \
    do { \
        __fencepost_short_text(); \
        if ((size) > 1) \
            (text)[0] = __fencepost_any_char(); \
        if ((size) > 0) \
            (text)[(size) > 1] = 0; \
    } while (0)
#define __FENCEPOST_ANY_LENGTH() __fencepost_any_length()
#define __FENCEPOST_ANY_SECOND() __fencepost_any_second()
#define __FENCEPOST_ANY_NANOSECOND() __fencepost_any_nanosecond()
#define __FENCEPOST_ANY_CHARACTER() (__fencepost_short_text(), __fencepost_any_char())
#ifdef NEEDS_clock_gettime
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock > CLOCK_TAI)
        return __FENCEPOST_FAILS(-1);
    now->tv_sec = __FENCEPOST_ANY_SECOND();
    now->tv_nsec = __FENCEPOST_ANY_NANOSECOND();
    return 0;
}
#endif
#ifdef NEEDS_timespec_get
int timespec_get(struct timespec *now, int base)
{
    now->tv_sec = __FENCEPOST_ANY_SECOND();
    now->tv_nsec = __FENCEPOST_ANY_NANOSECOND();
    return base;
}
#endif
#ifdef NEEDS_gettimeofday
int gettimeofday(struct timeval *now, void *zone)
{
    now->tv_sec = __FENCEPOST_ANY_SECOND();
    now->tv_usec = __FENCEPOST_ANY_NANOSECOND() / 1000;
    return 0;
}
#endif
/* Who gives up after a time has found the lock taken, by a locked instruction. */
#define __FENCEPOST_LOCK_IN_TIME(try, late, wait) \
    (__sync_synchronize(), (try) == 0 ? 0 : __VERIFIER_nondet_bool() ? (late) : (wait))
#ifdef NEEDS_pthread_mutex_timedlock
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    return __FENCEPOST_LOCK_IN_TIME(pthread_mutex_trylock(mutex), ETIMEDOUT, pthread_mutex_lock(mutex));
}
#endif
#ifdef NEEDS_pthread_mutex_clocklock
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    return __FENCEPOST_LOCK_IN_TIME(pthread_mutex_trylock(mutex), ETIMEDOUT, pthread_mutex_lock(mutex));
}
#endif
#ifdef NEEDS_pthread_rwlock_timedrdlock
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return __FENCEPOST_LOCK_IN_TIME(pthread_rwlock_tryrdlock(lock), ETIMEDOUT, pthread_rwlock_rdlock(lock));
}
#endif
#ifdef NEEDS_pthread_rwlock_timedwrlock
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    return __FENCEPOST_LOCK_IN_TIME(pthread_rwlock_trywrlock(lock), ETIMEDOUT, pthread_rwlock_wrlock(lock));
}
#endif
#ifdef NEEDS_mtx_timedlock
int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
    return __FENCEPOST_LOCK_IN_TIME(mtx_trylock(mutex), thrd_timedout, mtx_lock(mutex));
}
#endif
#ifdef NEEDS_strerror
static _Thread_local char __fencepost_error[2];
char *strerror(int number)
{
    __fencepost_error[0] = __FENCEPOST_ANY_CHARACTER();
    return __fencepost_error;
}
#endif
#ifdef NEEDS_strerrorname_np
const char *strerrorname_np(int number)
{
    static _Thread_local char name[2];
    name[0] = __FENCEPOST_ANY_CHARACTER();
    return name;
}
#endif
#ifdef NEEDS_strsignal
char *strsignal(int number)
{
    static _Thread_local char name[2];
    name[0] = __FENCEPOST_ANY_CHARACTER();
    return name;
}
#endif
#ifdef NEEDS_getenv
char *getenv(const char *name)
{
    static _Thread_local char value[2];
    if (!__VERIFIER_nondet_bool())
        return NULL;
    value[0] = __FENCEPOST_ANY_CHARACTER();
    return value;
}
#endif
#ifdef NEEDS_secure_getenv
char *secure_getenv(const char *name)
{
    static _Thread_local char value[2];
    if (!__VERIFIER_nondet_bool())
        return NULL;
    value[0] = __FENCEPOST_ANY_CHARACTER();
    return value;
}
#endif
#ifdef NEEDS_snprintf
int snprintf(char *text, size_t size, const char *format, ...)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return __FENCEPOST_ANY_LENGTH();
}
#endif
#ifdef NEEDS_vsnprintf
int vsnprintf(char *text, size_t size, const char *format, va_list values)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return __FENCEPOST_ANY_LENGTH();
}
#endif
#ifdef NEEDS_strftime
size_t strftime(char *text, size_t size, const char *format, const struct tm *when)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return size > 1;
}
#endif
#ifdef NEEDS_strerror_r
int strerror_r(int number, char *text, size_t size)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return 0;
}
#endif
#ifdef NEEDS_localtime_r
struct tm *localtime_r(const time_t *time, struct tm *when)
{
    when->tm_sec = __FENCEPOST_ANY_LENGTH() % 61;
    when->tm_min = __FENCEPOST_ANY_LENGTH() % 60;
    when->tm_hour = __FENCEPOST_ANY_LENGTH() % 24;
    when->tm_mday = __FENCEPOST_ANY_LENGTH() % 31 + 1;
    when->tm_mon = __FENCEPOST_ANY_LENGTH() % 12;
    when->tm_year = __FENCEPOST_ANY_LENGTH();
    when->tm_wday = __FENCEPOST_ANY_LENGTH() % 7;
    when->tm_yday = __FENCEPOST_ANY_LENGTH() % 366;
    when->tm_isdst = __FENCEPOST_ANY_LENGTH() % 3 - 1;
    return when;
}
#endif
/* The options of a program, by POSIX; those with long names are not read. */
#if defined(NEEDS_getopt) || defined(NEEDS_getopt_long)
char *optarg;
int optind = 1, opterr = 1, optopt;
static int __fencepost_option;
static int __fencepost_getopt(int argc, char *const argv[], const char *options)
{
    if (optind >= argc || !argv[optind] || argv[optind][0] != '-' || !argv[optind][1])
        return -1;
    if (argv[optind][1] == '-' && !argv[optind][2]) {
        optind++;
        return -1;
    }
    const char *one = &argv[optind][1 + __fencepost_option];
    const char *known = strchr(options, *one);
    optopt = *one;
    if (one[1]) {
        __fencepost_option++;
    } else {
        optind++;
        __fencepost_option = 0;
    }
    if (!known)
        return '?';
    if (known[1] == ':') {
        if (__fencepost_option)
            optarg = (char *)&one[1];
        else if (optind < argc)
            optarg = argv[optind];
        else
            return options[0] == ':' ? ':' : '?';
        optind++;
        __fencepost_option = 0;
    }
    return optopt;
}
#endif
#ifdef NEEDS_getopt
int getopt(int argc, char *const argv[], const char *options)
{
    return __fencepost_getopt(argc, argv, options);
}
#endif
#ifdef NEEDS_getopt_long
int getopt_long(int argc, char *const argv[], const char *options, const struct option *longer, int *index)
{
    return __fencepost_getopt(argc, argv, options);
}
#endif
