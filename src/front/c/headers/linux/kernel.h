#pragma once
#include <limits.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/types.h>
#include <asm/byteorder.h>
#define might_sleep() ((void)0)
#define might_sleep_if(condition) ((void)(condition))
#define might_fault() ((void)0)
#define cant_sleep() ((void)0)
#define upper_32_bits(n) ((u32)((n) >> 16 >> 16))
#define lower_32_bits(n) ((u32)(n))
