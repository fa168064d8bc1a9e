#pragma once
#include <limits.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/types.h>
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define printk(...) printf(__VA_ARGS__)
#define pr_err(...) printf(__VA_ARGS__)
#define pr_warn(...) printf(__VA_ARGS__)
#define pr_info(...) printf(__VA_ARGS__)
#define pr_debug(...) printf(__VA_ARGS__)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(p, type, member) ((type *)__fencepost_container((p), &((type *)0)->member))
#define min(a, b) ({ __typeof__(a) __min_a = (a); __typeof__(b) __min_b = (b); __min_a < __min_b ? __min_a : __min_b; })
#define max(a, b) ({ __typeof__(a) __max_a = (a); __typeof__(b) __max_b = (b); __max_a > __max_b ? __max_a : __max_b; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
