#pragma once
/* Lists that are linked through their elements, in the accesses and the order of Linux. What is taken off
   a list points to addresses that nothing has. */
#include <linux/kernel.h>
#include <asm/barrier.h>
#define LIST_POISON1 ((void *)-256L)
#define LIST_POISON2 ((void *)-290L)
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#undef LIST_HEAD
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define INIT_LIST_HEAD(list) \
    ({ \
        struct list_head *__init_list = (list); \
        WRITE_ONCE(__init_list->next, __init_list); \
        WRITE_ONCE(__init_list->prev, __init_list); \
    })

#define __list_add(entry, before, after) \
    ({ \
        struct list_head *__new = (entry), *__before = (before), *__after = (after); \
        __after->prev = __new; \
        __new->next = __after; \
        __new->prev = __before; \
        WRITE_ONCE(__before->next, __new); \
    })
#define list_add(entry, head) \
    ({ struct list_head *__at = (head); __list_add(entry, __at, __at->next); })
#define list_add_tail(entry, head) \
    ({ struct list_head *__at = (head); __list_add(entry, __at->prev, __at); })

#define __list_del(before, after) \
    ({ \
        struct list_head *__left = (before), *__right = (after); \
        __right->prev = __left; \
        WRITE_ONCE(__left->next, __right); \
    })
#define __list_del_entry(entry) \
    ({ struct list_head *__gone = (entry); __list_del(__gone->prev, __gone->next); })
#define list_del(entry) \
    ({ \
        struct list_head *__deleted = (entry); \
        __list_del_entry(__deleted); \
        __deleted->next = LIST_POISON1; \
        __deleted->prev = LIST_POISON2; \
    })
#define list_del_init(entry) \
    ({ struct list_head *__deleted = (entry); __list_del_entry(__deleted); INIT_LIST_HEAD(__deleted); })
#define list_del_init_careful(entry) \
    ({ \
        struct list_head *__deleted = (entry); \
        __list_del_entry(__deleted); \
        WRITE_ONCE(__deleted->prev, __deleted); \
        smp_store_release(&__deleted->next, __deleted); \
    })
#define list_replace(old, new) \
    ({ \
        struct list_head *__old = (old), *__instead = (new); \
        __instead->next = __old->next; \
        __instead->next->prev = __instead; \
        __instead->prev = __old->prev; \
        __instead->prev->next = __instead; \
    })
#define list_move(entry, head) \
    ({ struct list_head *__moved = (entry); __list_del_entry(__moved); list_add(__moved, head); })
#define list_move_tail(entry, head) \
    ({ struct list_head *__moved = (entry); __list_del_entry(__moved); list_add_tail(__moved, head); })

#define list_is_head(list, head) ((list) == (head))
#define list_is_first(list, head) ((list)->prev == (head))
#define list_is_last(list, head) ((list)->next == (head))
#define list_empty(head) \
    ({ const struct list_head *__of = (head); READ_ONCE(__of->next) == __of; })
#define list_empty_careful(head) \
    ({ \
        const struct list_head *__of = (head); \
        const struct list_head *__first = smp_load_acquire(&__of->next); \
        __first == __of && __first == READ_ONCE(__of->prev); \
    })
#define list_is_singular(head) \
    ({ const struct list_head *__one = (head); !list_empty(__one) && __one->next == __one->prev; })

#define __list_splice(list, before, after) \
    ({ \
        struct list_head *__spliced = (list), *__start = (before), *__end = (after); \
        struct list_head *__head = __spliced->next, *__tail = __spliced->prev; \
        __head->prev = __start; \
        __start->next = __head; \
        __tail->next = __end; \
        __end->prev = __tail; \
    })
#define list_splice(list, head) \
    ({ \
        struct list_head *__more = (list), *__into = (head); \
        if (!list_empty(__more)) \
            __list_splice(__more, __into, __into->next); \
    })
#define list_splice_tail(list, head) \
    ({ \
        struct list_head *__more = (list), *__into = (head); \
        if (!list_empty(__more)) \
            __list_splice(__more, __into->prev, __into); \
    })
#define list_splice_init(list, head) \
    ({ \
        struct list_head *__more = (list), *__into = (head); \
        if (!list_empty(__more)) { \
            __list_splice(__more, __into, __into->next); \
            INIT_LIST_HEAD(__more); \
        } \
    })
#define list_splice_tail_init(list, head) \
    ({ \
        struct list_head *__more = (list), *__into = (head); \
        if (!list_empty(__more)) { \
            __list_splice(__more, __into->prev, __into); \
            INIT_LIST_HEAD(__more); \
        } \
    })

#define list_entry(list, type, member) container_of(list, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) \
    ({ \
        struct list_head *__any = (head), *__one = READ_ONCE(__any->next); \
        __one != __any ? list_entry(__one, type, member) : (type *)0; \
    })
#define list_next_entry(entry, member) list_entry((entry)->member.next, __typeof__(*(entry)), member)
#define list_prev_entry(entry, member) list_entry((entry)->member.prev, __typeof__(*(entry)), member)
#define list_rotate_left(head) \
    ({ \
        struct list_head *__turned = (head); \
        if (!list_empty(__turned)) \
            list_move_tail(__turned->next, __turned); \
    })
/* In Linux a loop over entries ends with what would be the entry of the head. No such entry exists here: the
   variable gets an address that nothing has. */
#define __LIST_NO_ENTRY ((void *)-512L)
#define list_entry_is_head(entry, head, member) \
    ({ __typeof__(entry) __end = (entry); (void *)__end == __LIST_NO_ENTRY || &__end->member == (head); })
/* The entry of an element, or none of the head. */
#define __list_enter(at, element, head, member) \
    ((element) != (head) ? ((void)&(element)->prev, at = list_entry(element, __typeof__(*at), member), 1) : (at = __LIST_NO_ENTRY, 0))
#define list_for_each(at, head) for (at = (head)->next; !list_is_head(at, head); at = at->next)
#define list_for_each_prev(at, head) for (at = (head)->prev; !list_is_head(at, head); at = at->prev)
#define list_for_each_safe(at, after, head) \
    for (at = (head)->next, after = at->next; !list_is_head(at, head); at = after, after = at->next)
#define list_for_each_entry(at, head, member) \
    for (struct list_head *__element = (head)->next; __list_enter(at, __element, head, member); \
         __element = at->member.next)
#define list_for_each_entry_reverse(at, head, member) \
    for (struct list_head *__element = (head)->prev; __list_enter(at, __element, head, member); \
         __element = at->member.prev)
/* `after` is only known to be an entry while it is not the head. */
#define list_for_each_entry_safe(at, after, head, member) \
    for (struct list_head *__element = (head)->next, *__later = __element->next; \
         __list_enter(after, __later, head, member), __list_enter(at, __element, head, member); \
         __element = __later, __later = __later->next)

/* Lists with one pointer as their head. */
#define HLIST_HEAD_INIT { (struct hlist_node *)0 }
#define HLIST_HEAD(name) struct hlist_head name = HLIST_HEAD_INIT
#define INIT_HLIST_HEAD(head) ((void)((head)->first = (struct hlist_node *)0))
#define INIT_HLIST_NODE(node) \
    ({ \
        struct hlist_node *__clear = (node); \
        __clear->next = (struct hlist_node *)0; \
        __clear->pprev = (struct hlist_node **)0; \
    })
#define hlist_unhashed(node) (!(node)->pprev)
#define hlist_unhashed_lockless(node) (!READ_ONCE((node)->pprev))
#define hlist_empty(head) (!READ_ONCE((head)->first))
#define __hlist_del(node) \
    ({ \
        struct hlist_node *__out = (node), *__rest = __out->next, **__link = __out->pprev; \
        WRITE_ONCE(*__link, __rest); \
        if (__rest) \
            WRITE_ONCE(__rest->pprev, __link); \
    })
#define hlist_del(node) \
    ({ \
        struct hlist_node *__deleted = (node); \
        __hlist_del(__deleted); \
        __deleted->next = LIST_POISON1; \
        __deleted->pprev = LIST_POISON2; \
    })
#define hlist_del_init(node) \
    ({ \
        struct hlist_node *__deleted = (node); \
        if (!hlist_unhashed(__deleted)) { \
            __hlist_del(__deleted); \
            INIT_HLIST_NODE(__deleted); \
        } \
    })
#define hlist_add_head(node, head) \
    ({ \
        struct hlist_node *__new = (node); \
        struct hlist_head *__list = (head); \
        struct hlist_node *__first = __list->first; \
        WRITE_ONCE(__new->next, __first); \
        if (__first) \
            WRITE_ONCE(__first->pprev, &__new->next); \
        WRITE_ONCE(__list->first, __new); \
        WRITE_ONCE(__new->pprev, &__list->first); \
    })
#define hlist_add_before(node, after) \
    ({ \
        struct hlist_node *__new = (node), *__after = (after); \
        WRITE_ONCE(__new->pprev, __after->pprev); \
        WRITE_ONCE(__new->next, __after); \
        WRITE_ONCE(__after->pprev, &__new->next); \
        WRITE_ONCE(*__new->pprev, __new); \
    })
#define hlist_add_behind(node, before) \
    ({ \
        struct hlist_node *__new = (node), *__before = (before); \
        WRITE_ONCE(__new->next, __before->next); \
        WRITE_ONCE(__before->next, __new); \
        WRITE_ONCE(__new->pprev, &__before->next); \
        if (__new->next) \
            WRITE_ONCE(__new->next->pprev, &__new->next); \
    })
#define hlist_entry(node, type, member) container_of(node, type, member)
#define hlist_entry_safe(node, type, member) \
    ({ __typeof__(node) __node = (node); __node ? hlist_entry(__node, type, member) : (type *)0; })
#define hlist_for_each(at, head) for (at = (head)->first; at; at = at->next)
#define hlist_for_each_safe(at, after, head) \
    for (at = (head)->first; at && ({ after = at->next; 1; }); at = after)
#define hlist_for_each_entry(at, head, member) \
    for (at = hlist_entry_safe((head)->first, __typeof__(*at), member); at; \
         at = hlist_entry_safe(at->member.next, __typeof__(*at), member))
#define hlist_for_each_entry_safe(at, after, head, member) \
    for (at = hlist_entry_safe((head)->first, __typeof__(*at), member); \
         at && ({ after = at->member.next; 1; }); at = hlist_entry_safe(after, __typeof__(*at), member))
