#pragma once
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
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
#ifdef NEEDS_clock_gettime
int clock_gettime(clockid_t clock, struct timespec *now)
{
    now->tv_sec = __fencepost_any_second();
    now->tv_nsec = __fencepost_any_nanosecond();
    return 0;
}
#endif
#ifdef NEEDS_timespec_get
int timespec_get(struct timespec *now, int base)
{
    now->tv_sec = __fencepost_any_second();
    now->tv_nsec = __fencepost_any_nanosecond();
    return base;
}
#endif
#ifdef NEEDS_gettimeofday
int gettimeofday(struct timeval *now, void *zone)
{
    now->tv_sec = __fencepost_any_second();
    now->tv_usec = __fencepost_any_nanosecond() / 1000;
    return 0;
}
#endif
#ifdef NEEDS_strerror
static _Thread_local char __fencepost_error[2];
char *strerror(int number)
{
    __fencepost_error[0] = __fencepost_any_char();
    return __fencepost_error;
}
#endif
#ifdef NEEDS_strerrorname_np
const char *strerrorname_np(int number)
{
    static _Thread_local char name[2];
    name[0] = __fencepost_any_char();
    return name;
}
#endif
#ifdef NEEDS_strsignal
char *strsignal(int number)
{
    static _Thread_local char name[2];
    name[0] = __fencepost_any_char();
    return name;
}
#endif
#ifdef NEEDS_getenv
char *getenv(const char *name)
{
    static _Thread_local char value[2];
    if (!__VERIFIER_nondet_bool())
        return NULL;
    value[0] = __fencepost_any_char();
    return value;
}
#endif
#ifdef NEEDS_secure_getenv
char *secure_getenv(const char *name)
{
    static _Thread_local char value[2];
    if (!__VERIFIER_nondet_bool())
        return NULL;
    value[0] = __fencepost_any_char();
    return value;
}
#endif
#ifdef NEEDS_snprintf
int snprintf(char *text, size_t size, const char *format, ...)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return __fencepost_any_length();
}
#endif
#ifdef NEEDS_vsnprintf
int vsnprintf(char *text, size_t size, const char *format, ...)
{
    __FENCEPOST_ANY_TEXT(text, size);
    return __fencepost_any_length();
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
    when->tm_sec = __fencepost_any_length() % 61;
    when->tm_min = __fencepost_any_length() % 60;
    when->tm_hour = __fencepost_any_length() % 24;
    when->tm_mday = __fencepost_any_length() % 31 + 1;
    when->tm_mon = __fencepost_any_length() % 12;
    when->tm_year = __fencepost_any_length() % 1000;
    when->tm_wday = __fencepost_any_length() % 7;
    when->tm_yday = __fencepost_any_length() % 366;
    when->tm_isdst = 0;
    return when;
}
#endif
