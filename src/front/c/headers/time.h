#pragma once
#include <stddef.h>
#include <sys/types.h>
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
typedef int clockid_t;
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
double difftime(time_t, time_t);
struct tm *localtime(const time_t *);
char *ctime(const time_t *);
int clock_gettime(clockid_t, struct timespec *);
int timespec_get(struct timespec *, int);
size_t strftime(char *, size_t, const char *, const struct tm *);
struct tm *localtime_r(const time_t *, struct tm *);
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
#define TIME_UTC 1
