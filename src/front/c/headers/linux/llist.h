#pragma once
/* Lists without locks: any thread adds, one takes an element off or all threads take everything. */
#include <linux/atomic.h>
#include <linux/kernel.h>
struct llist_head { struct llist_node *first; };
struct llist_node { struct llist_node *next; };
#define LLIST_HEAD_INIT(name) { (struct llist_node *)0 }
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)
#define init_llist_head(list) ((void)((list)->first = (struct llist_node *)0))
#define init_llist_node(node) \
    ({ struct llist_node *__alone = (node); WRITE_ONCE(__alone->next, __alone); })
#define llist_on_list(node) \
    ({ const struct llist_node *__alone = (node); READ_ONCE(__alone->next) != __alone; })
#define llist_entry(node, type, member) container_of(node, type, member)
#define llist_empty(head) (READ_ONCE((head)->first) == (struct llist_node *)0)
#define llist_next(node) ((node)->next)
#define llist_add_batch(from, to, head) \
    ({ \
        struct llist_node *__from = (from), *__to = (to); \
        struct llist_head *__list = (head); \
        struct llist_node *__first = READ_ONCE(__list->first); \
        do \
            __to->next = __first; \
        while (!try_cmpxchg(&__list->first, &__first, __from)); \
        !__first; \
    })
#define llist_add(node, head) ({ struct llist_node *__added = (node); llist_add_batch(__added, __added, head); })
#define __llist_add_batch(from, to, head) \
    ({ \
        struct llist_node *__from = (from), *__to = (to); \
        struct llist_head *__list = (head); \
        __to->next = __list->first; \
        __list->first = __from; \
        __to->next == (struct llist_node *)0; \
    })
#define __llist_add(node, head) \
    ({ struct llist_node *__added = (node); __llist_add_batch(__added, __added, head); })
#define llist_del_all(head) xchg(&(head)->first, (struct llist_node *)0)
#define llist_del_first(head) \
    ({ \
        struct llist_head *__list = (head); \
        struct llist_node *__first = smp_load_acquire(&__list->first); \
        while (__first && !try_cmpxchg(&__list->first, &__first, READ_ONCE(__first->next))) \
            ; \
        __first; \
    })
#define llist_reverse_order(node) \
    ({ \
        struct llist_node *__left = (node), *__reversed = (struct llist_node *)0; \
        while (__left) { \
            struct llist_node *__turned = __left; \
            __left = __left->next; \
            __turned->next = __reversed; \
            __reversed = __turned; \
        } \
        __reversed; \
    })
#define llist_for_each(at, node) for (at = (node); at; at = at->next)
#define llist_for_each_safe(at, after, node) for (at = (node); at && (after = at->next, 1); at = after)
/* In Linux the entry of the null pointer ends these loops. No such entry exists here: after the loop, the
   variable is still the last entry. */
#define llist_for_each_entry(at, node, member) \
    for (struct llist_node *__entry = (node); \
         __entry && (at = llist_entry(__entry, __typeof__(*at), member), 1); __entry = at->member.next)
#define llist_for_each_entry_safe(at, after, node, member) \
    for (struct llist_node *__entry = (node), *__after; \
         __entry && (at = llist_entry(__entry, __typeof__(*at), member), __after = __entry->next, \
                     after = __after ? llist_entry(__after, __typeof__(*at), member) : (__typeof__(at))0, 1); \
         __entry = __after)
