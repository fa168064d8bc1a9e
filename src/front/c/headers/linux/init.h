#pragma once
#include <linux/compiler.h>
/* Nothing is called by registering it: `--entry` names what starts. */
#define module_init(function) _Static_assert(1, "")
#define module_exit(function) _Static_assert(1, "")
#define early_initcall(function) _Static_assert(1, "")
#define core_initcall(function) _Static_assert(1, "")
#define arch_initcall(function) _Static_assert(1, "")
#define subsys_initcall(function) _Static_assert(1, "")
#define fs_initcall(function) _Static_assert(1, "")
#define device_initcall(function) _Static_assert(1, "")
#define late_initcall(function) _Static_assert(1, "")
#define __initconst
#define __exitdata
#define __setup(text, function) _Static_assert(1, "")
