#pragma once
#include <linux/types.h>
/* `to` is a power of two. */
#define round_up(x, to) ((((x) - 1) | ((__typeof__(x))(to) - 1)) + 1)
#define round_down(x, to) ((x) & ~((__typeof__(x))(to) - 1))
#define roundup(x, to) ({ __typeof__(to) __step = (to); ((x) + (__step - 1)) / __step * __step; })
#define rounddown(x, to) ({ __typeof__(x) __above = (x); __above - __above % (to); })
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d) DIV_ROUND_UP((unsigned long long)(n), d)
#define DIV_ROUND_CLOSEST(n, d) ({ __typeof__(d) __by = (d); ((n) + __by / 2) / __by; })
#define abs(x) ({ __typeof__(x) __signed = (x); __signed < 0 ? -__signed : __signed; })
