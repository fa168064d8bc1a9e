#pragma once
#define EXPORT_SYMBOL(name) _Static_assert(1, "")
#define EXPORT_SYMBOL_GPL(name) _Static_assert(1, "")
#define EXPORT_SYMBOL_NS_GPL(name, space) _Static_assert(1, "")
#define EXPORT_PER_CPU_SYMBOL(name) _Static_assert(1, "")
#define EXPORT_PER_CPU_SYMBOL_GPL(name) _Static_assert(1, "")
