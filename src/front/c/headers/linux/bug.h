#pragma once
#include <linux/compiler.h>
#define BUG() __fencepost_assert(0)
#define BUG_ON(condition) __fencepost_assert(!(condition))
#define WARN_ON(condition) ({ int __warn_on = !!(condition); __fencepost_assert(!__warn_on); __warn_on; })
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), "BUILD_BUG_ON")
