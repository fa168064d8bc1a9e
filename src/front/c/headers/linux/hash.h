#pragma once
/* Any function of the value will do: its lowest bits. */
#include <linux/types.h>
#define GOLDEN_RATIO_32 0x61C88647
#define hash_32(value, bits) ((u32)(value) & ((1u << (bits)) - 1))
#define hash_64(value, bits) ((u32)(value) & ((1u << (bits)) - 1))
#define hash_long(value, bits) hash_64(value, bits)
