#pragma once
#include <linux/build_bug.h>
#include <linux/compiler.h>
#define min(a, b) ({ __typeof__(a) __min_a = (a); __typeof__(b) __min_b = (b); __min_a < __min_b ? __min_a : __min_b; })
#define max(a, b) ({ __typeof__(a) __max_a = (a); __typeof__(b) __max_b = (b); __max_a > __max_b ? __max_a : __max_b; })
#define min3(a, b, c) min(min(a, b), c)
#define max3(a, b, c) max(max(a, b), c)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define umin(a, b) min_t(unsigned long, a, b)
#define umax(a, b) max_t(unsigned long, a, b)
#define min_not_zero(a, b) \
    ({ __typeof__(a) __one = (a); __typeof__(b) __two = (b); !__one ? __two : !__two ? __one : min(__one, __two); })
#define clamp(v, low, high) min(max(v, low), high)
#define clamp_t(type, v, low, high) clamp((type)(v), (type)(low), (type)(high))
#define clamp_val(v, low, high) clamp_t(__typeof__(v), v, low, high)
#define swap(a, b) ({ __typeof__(a) __swapped = (a); (a) = (b); (b) = __swapped; (void)0; })
