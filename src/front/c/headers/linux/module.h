#pragma once
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/moduleparam.h>
struct module;
#define THIS_MODULE ((struct module *)0)
#define MODULE_LICENSE(text) _Static_assert(1, "")
#define MODULE_AUTHOR(text) _Static_assert(1, "")
#define MODULE_DESCRIPTION(text) _Static_assert(1, "")
#define MODULE_ALIAS(text) _Static_assert(1, "")
#define MODULE_VERSION(text) _Static_assert(1, "")
#define MODULE_SOFTDEP(text) _Static_assert(1, "")
#define MODULE_FIRMWARE(text) _Static_assert(1, "")
#define MODULE_IMPORT_NS(name) _Static_assert(1, "")
#define MODULE_DEVICE_TABLE(type, name) _Static_assert(1, "")
#define try_module_get(module) ((void)(module), 1)
#define module_put(module) ((void)(module))
#define __module_get(module) ((void)(module))
