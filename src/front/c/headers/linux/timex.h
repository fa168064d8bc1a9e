#pragma once
/* Any time. */
#include <linux/types.h>
typedef u64 cycles_t;
#define get_cycles() ((cycles_t)(rand() & 0x3fffffff))
