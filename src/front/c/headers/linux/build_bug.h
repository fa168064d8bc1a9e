#pragma once
#include <linux/compiler.h>
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), "BUILD_BUG_ON")
#define BUILD_BUG_ON_ZERO(condition) ((int)sizeof(char[1 - 2 * !!(condition)]) - 1)
#define BUILD_BUG_ON_MSG(condition, message) _Static_assert(!(condition), message)
#define BUILD_BUG_ON_NOT_POWER_OF_2(n) BUILD_BUG_ON((n) == 0 || ((n) & ((n) - 1)) != 0)
#undef static_assert
#define static_assert _Static_assert
