#pragma once
/* Parameters keep the values that the text gives them. */
#define module_param(name, type, mode) _Static_assert(1, "")
#define module_param_named(name, variable, type, mode) _Static_assert(1, "")
#define MODULE_PARM_DESC(name, text) _Static_assert(1, "")
