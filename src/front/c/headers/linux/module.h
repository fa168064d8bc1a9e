#pragma once
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#define THIS_MODULE ((void *)0)
#define MODULE_LICENSE(text) _Static_assert(1, "")
#define MODULE_AUTHOR(text) _Static_assert(1, "")
#define MODULE_DESCRIPTION(text) _Static_assert(1, "")
#define MODULE_ALIAS(text) _Static_assert(1, "")
#define MODULE_VERSION(text) _Static_assert(1, "")
