#pragma once
/* Tables of lists. The lowest bits of a key choose the list. */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/rculist.h>
#define DECLARE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)]
#define DEFINE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)] = { { (struct hlist_node *)0 } }
#define DEFINE_READ_MOSTLY_HASHTABLE(name, bits) DEFINE_HASHTABLE(name, bits)
#define HASH_SIZE(table) ARRAY_SIZE(table)
#define HASH_BITS(table) ilog2(HASH_SIZE(table))
#define hash_min(value, bits) hash_long(value, bits)
#define __hash_list(table, key) (&(table)[(u32)(key) & (HASH_SIZE(table) - 1)])
#define hash_init(table) \
    ({ \
        for (unsigned int __list = 0; __list < HASH_SIZE(table); __list++) \
            INIT_HLIST_HEAD(&(table)[__list]); \
    })
#define hash_add(table, node, key) hlist_add_head(node, __hash_list(table, key))
#define hash_add_rcu(table, node, key) hlist_add_head_rcu(node, __hash_list(table, key))
#define hash_del(node) hlist_del_init(node)
#define hash_del_rcu(node) hlist_del_init_rcu(node)
#define hash_hashed(node) (!hlist_unhashed(node))
#define hash_empty(table) \
    ({ \
        int __empty = 1; \
        for (unsigned int __list = 0; __empty && __list < HASH_SIZE(table); __list++) \
            __empty = hlist_empty(&(table)[__list]); \
        __empty; \
    })
#define hash_for_each_possible(table, at, member, key) hlist_for_each_entry(at, __hash_list(table, key), member)
#define hash_for_each_possible_rcu(table, at, member, key, ...) \
    hlist_for_each_entry_rcu(at, __hash_list(table, key), member)
#define hash_for_each_possible_safe(table, at, after, member, key) \
    hlist_for_each_entry_safe(at, after, __hash_list(table, key), member)
#define hash_for_each(table, list, at, member) \
    for ((list) = 0, at = NULL; at == NULL && (list) < HASH_SIZE(table); (list)++) \
        hlist_for_each_entry(at, &(table)[list], member)
#define hash_for_each_rcu(table, list, at, member) \
    for ((list) = 0, at = NULL; at == NULL && (list) < HASH_SIZE(table); (list)++) \
        hlist_for_each_entry_rcu(at, &(table)[list], member)
#define hash_for_each_safe(table, list, after, at, member) \
    for ((list) = 0, at = NULL; at == NULL && (list) < HASH_SIZE(table); (list)++) \
        hlist_for_each_entry_safe(at, after, &(table)[list], member)
