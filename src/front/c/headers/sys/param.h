#pragma once
#include <limits.h>
#include <stddef.h>
#include <sys/cdefs.h>
#include <sys/types.h>
#define MAXPATHLEN 4096
#define MAXHOSTNAMELEN 64
#define MAXSYMLINKS 20
#define NBBY 8
#define NODEV ((dev_t)-1)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define howmany(n, size) (((n) + ((size) - 1)) / (size))
#define nitems(a) (sizeof(a) / sizeof((a)[0]))
#undef rounddown
#undef roundup
#define rounddown(n, size) ((n) / (size) * (size))
#define rounddown2(n, size) ((n) & ~((size) - 1))
#define roundup(n, size) (((n) + ((size) - 1)) / (size) * (size))
#define roundup2(n, size) (((n) + ((size) - 1)) & ~((size) - 1))
#define powerof2(n) ((((n) - 1) & (n)) == 0)
#define setbit(map, i) ((map)[(i) / NBBY] |= 1 << (i) % NBBY)
#define clrbit(map, i) ((map)[(i) / NBBY] &= ~(1 << (i) % NBBY))
#define isset(map, i) ((map)[(i) / NBBY] & 1 << (i) % NBBY)
#define isclr(map, i) (((map)[(i) / NBBY] & 1 << (i) % NBBY) == 0)
