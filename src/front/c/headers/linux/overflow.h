#pragma once
#include <linux/kernel.h>
#define struct_size(pointer, member, count) (sizeof(*(pointer)) + (count) * sizeof(*(pointer)->member))
#define struct_size_t(type, member, count) struct_size((type *)0, member, count)
#define flex_array_size(pointer, member, count) ((count) * sizeof(*(pointer)->member))
#define array_size(count, size) ((count) * (size))
#define array3_size(a, b, size) ((a) * (b) * (size))
/* Whether the exact result does not fit. */
#define check_add_overflow(a, b, result) __builtin_add_overflow(a, b, result)
#define check_sub_overflow(a, b, result) __builtin_sub_overflow(a, b, result)
#define check_mul_overflow(a, b, result) __builtin_mul_overflow(a, b, result)
