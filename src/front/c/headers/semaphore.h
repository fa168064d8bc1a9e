#pragma once
#include <time.h>
#include <sys/types.h>
typedef __fencepost_semaphore sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
/* A load: the count may change at once. */
#define sem_getvalue(s, to) (*(to) = __fencepost_semaphore_value(s), 0)
int sem_timedwait(sem_t *, const struct timespec *);
