#pragma once
/* What Linux warns about is a violation here. */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#define BUG() __fencepost_assert(0)
#define BUG_ON(condition) __fencepost_assert(!(condition))
#define WARN_ON(condition) ({ int __warn_on = !!(condition); __fencepost_assert(!__warn_on); __warn_on; })
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define WARN_ON_SMP(condition) WARN_ON(condition)
#define WARN(condition, ...) \
    ({ int __warn_on = !!(condition); (void)printf(__VA_ARGS__); __fencepost_assert(!__warn_on); __warn_on; })
#define WARN_ONCE(condition, ...) WARN(condition, __VA_ARGS__)
#define panic(...) ((void)printf(__VA_ARGS__), __fencepost_assert(0))
