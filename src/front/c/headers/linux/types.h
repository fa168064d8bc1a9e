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
typedef u16 __le16, __be16, __virtio16;
typedef u32 __le32, __be32, __virtio32, __wsum;
typedef u64 __le64, __be64, __virtio64;
typedef unsigned int gfp_t, fmode_t, slab_flags_t;
typedef unsigned short umode_t;
typedef long long loff_t;
typedef unsigned int __kernel_dev_t, __poll_t;
#define dev_t __kernel_dev_t
typedef u64 dma_addr_t, phys_addr_t, resource_size_t, sector_t;
typedef struct { _Atomic int counter; } atomic_t;
typedef struct { _Atomic long counter; } atomic64_t;
typedef struct { _Atomic long counter; } atomic_long_t;
struct list_head { struct list_head *next, *prev; };
struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
struct rcu_head { struct rcu_head *next; void (*func)(struct rcu_head *head); };
#define DECLARE_BITMAP(name, bits) unsigned long name[((bits) + 63) / 64]
