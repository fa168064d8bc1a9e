#pragma once
/* Of numbers above 0. Constants stay constants. */
#include <linux/bitops.h>
#include <linux/types.h>
#define ilog2(n) (63 - __builtin_clzl(n))
#define __is_power_of_2(n) ((n) != 0 && ((n) & ((n) - 1)) == 0)
#define is_power_of_2(n) \
    __builtin_choose_expr(__builtin_constant_p(n), __is_power_of_2(n), \
                          ({ unsigned long __power = (n); __is_power_of_2(__power); }))
#define __roundup_pow_of_two(n) ((n) <= 1 ? 1UL : 1UL << (64 - __builtin_clzl(((n) - 1) | 1)))
#define roundup_pow_of_two(n) \
    __builtin_choose_expr(__builtin_constant_p(n), __roundup_pow_of_two(n), \
                          ({ unsigned long __power = (n); __roundup_pow_of_two(__power); }))
#define rounddown_pow_of_two(n) (1UL << ilog2(n))
#define order_base_2(n) ilog2(roundup_pow_of_two(n))
