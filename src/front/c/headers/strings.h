#pragma once
#include <stddef.h>
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
#define bcopy(from, to, count) ((void)memmove((to), (from), (count)))
#define bzero(to, count) ((void)memset((to), 0, (count)))
#define explicit_bzero(to, count) ((void)memset((to), 0, (count)))
