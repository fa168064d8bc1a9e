#pragma once
#include <linux/compiler.h>
/* Nothing is called by registering it: `--entry` names what starts. */
#define module_init(function) _Static_assert(1, "")
#define module_exit(function) _Static_assert(1, "")
