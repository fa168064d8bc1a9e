#pragma once
#include <linux/compiler.h>
/* A file without `main` begins with the function that it registers, if there is one; `--entry` names another. */
#define module_init(function) extern int __fencepost_initcall_##function
#define module_exit(function) _Static_assert(1, "")
#define early_initcall(function) extern int __fencepost_initcall_##function
#define core_initcall(function) extern int __fencepost_initcall_##function
#define arch_initcall(function) extern int __fencepost_initcall_##function
#define subsys_initcall(function) extern int __fencepost_initcall_##function
#define fs_initcall(function) extern int __fencepost_initcall_##function
#define device_initcall(function) extern int __fencepost_initcall_##function
#define late_initcall(function) extern int __fencepost_initcall_##function
#define __initconst
#define __exitdata
#define __setup(text, function) _Static_assert(1, "")
