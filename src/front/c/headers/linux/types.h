#pragma once
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
typedef signed char s8, __s8;
typedef unsigned char u8, __u8;
typedef short s16, __s16;
typedef unsigned short u16, __u16;
typedef int s32, __s32;
typedef unsigned int u32, __u32;
typedef long long s64, __s64;
typedef unsigned long long u64, __u64;
typedef unsigned int gfp_t;
typedef struct { _Atomic int counter; } atomic_t;
typedef struct { _Atomic long counter; } atomic64_t;
typedef struct { _Atomic long counter; } atomic_long_t;
struct list_head { struct list_head *next, *prev; };
struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
struct rcu_head { struct rcu_head *next; void (*func)(struct rcu_head *head); };
