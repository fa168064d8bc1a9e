#pragma once
/* Lists that readers of RCU walk while they change. */
#include <linux/list.h>
#include <linux/rcupdate.h>
#define list_next_rcu(list) (*(&(list)->next))
#define __list_add_rcu(entry, before, after) \
    ({ \
        struct list_head *__new = (entry), *__before = (before), *__after = (after); \
        __new->next = __after; \
        __new->prev = __before; \
        rcu_assign_pointer(__before->next, __new); \
        __after->prev = __new; \
    })
#define list_add_rcu(entry, head) \
    ({ struct list_head *__at = (head); __list_add_rcu(entry, __at, __at->next); })
#define list_add_tail_rcu(entry, head) \
    ({ struct list_head *__at = (head); __list_add_rcu(entry, __at->prev, __at); })
#define list_del_rcu(entry) \
    ({ struct list_head *__deleted = (entry); __list_del_entry(__deleted); __deleted->prev = LIST_POISON2; })
#define list_replace_rcu(old, new) \
    ({ \
        struct list_head *__old = (old), *__instead = (new); \
        __instead->next = __old->next; \
        __instead->prev = __old->prev; \
        rcu_assign_pointer(__instead->prev->next, __instead); \
        __instead->next->prev = __instead; \
        __old->prev = LIST_POISON2; \
    })
#define INIT_LIST_HEAD_RCU(list) INIT_LIST_HEAD(list)
#define list_first_or_null_rcu(head, type, member) \
    ({ \
        struct list_head *__any = (head), *__one = READ_ONCE(__any->next); \
        __one != __any ? list_entry(__one, type, member) : (type *)0; \
    })
#define list_entry_rcu(list, type, member) container_of(READ_ONCE(list), type, member)
#define list_for_each_entry_rcu(at, head, member, ...) \
    for (struct list_head *__element = READ_ONCE((head)->next); __list_enter(at, __element, head, member); \
         __element = READ_ONCE(at->member.next))
#define hlist_add_head_rcu(node, head) \
    ({ \
        struct hlist_node *__new = (node); \
        struct hlist_head *__list = (head); \
        struct hlist_node *__first = __list->first; \
        __new->next = __first; \
        WRITE_ONCE(__new->pprev, &__list->first); \
        rcu_assign_pointer(__list->first, __new); \
        if (__first) \
            WRITE_ONCE(__first->pprev, &__new->next); \
    })
#define hlist_del_rcu(node) \
    ({ struct hlist_node *__deleted = (node); __hlist_del(__deleted); WRITE_ONCE(__deleted->pprev, LIST_POISON2); })
#define hlist_for_each_entry_rcu(at, head, member, ...) \
    for (at = hlist_entry_safe(rcu_dereference((head)->first), __typeof__(*at), member); at; \
         at = hlist_entry_safe(rcu_dereference(at->member.next), __typeof__(*at), member))
#define hlist_first_rcu(head) (*(&(head)->first))
#define hlist_next_rcu(node) (*(&(node)->next))
#define hlist_del_init_rcu(node) \
    ({ \
        struct hlist_node *__taken = (node); \
        if (!hlist_unhashed(__taken)) { \
            __hlist_del(__taken); \
            WRITE_ONCE(__taken->pprev, (struct hlist_node **)0); \
        } \
    })
#define hlist_replace_rcu(old, new) \
    ({ \
        struct hlist_node *__old = (old), *__instead = (new), *__after = __old->next; \
        __instead->next = __after; \
        WRITE_ONCE(__instead->pprev, __old->pprev); \
        rcu_assign_pointer(*__instead->pprev, __instead); \
        if (__after) \
            WRITE_ONCE(__after->pprev, &__instead->next); \
        WRITE_ONCE(__old->pprev, LIST_POISON2); \
    })
