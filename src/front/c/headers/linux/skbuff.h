#pragma once
/* Packets in queues, each with a lock of its own. Only what queues do is here, and counting references, which is no
   more than a load where there is one. */
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
struct sk_buff { struct list_head list; unsigned int len; int priority; refcount_t users; void *sk, *dev; char cb[48]; };
struct sk_buff_head { struct list_head list; unsigned int qlen; spinlock_t lock; };
#define __skb_queue_head_init(queue) \
    ({ struct sk_buff_head *__q = (queue); INIT_LIST_HEAD(&__q->list); __q->qlen = 0; })
#define skb_queue_head_init(queue) \
    ({ struct sk_buff_head *__made = (queue); spin_lock_init(&__made->lock); __skb_queue_head_init(__made); })
#define skb_queue_len(queue) ((queue)->qlen)
#define skb_queue_len_lockless(queue) READ_ONCE((queue)->qlen)
#define skb_queue_empty(queue) list_empty(&(queue)->list)
#define skb_queue_empty_lockless(queue) list_empty(&(queue)->list)
#define __skb_entered(queue, packet, add) \
    ({ \
        struct sk_buff_head *__q = (queue); \
        add(&(packet)->list, &__q->list); \
        WRITE_ONCE(__q->qlen, __q->qlen + 1); \
    })
#define __skb_queue_head(queue, packet) __skb_entered(queue, packet, list_add)
#define __skb_queue_tail(queue, packet) __skb_entered(queue, packet, list_add_tail)
#define __skb_unlink(packet, queue) \
    ({ \
        struct sk_buff_head *__from = (queue); \
        struct sk_buff *__out = (packet); \
        WRITE_ONCE(__from->qlen, __from->qlen - 1); \
        __list_del_entry(&__out->list); \
        __out->list.next = NULL; \
        __out->list.prev = NULL; \
    })
#define skb_peek(queue) \
    ({ \
        struct list_head *__all = &(queue)->list, *__front = __all->next; \
        __front == __all ? (struct sk_buff *)0 : list_entry(__front, struct sk_buff, list); \
    })
#define skb_peek_tail(queue) \
    ({ \
        struct list_head *__all = &(queue)->list, *__back = READ_ONCE(__all->prev); \
        __back == __all ? (struct sk_buff *)0 : list_entry(__back, struct sk_buff, list); \
    })
#define __skb_taken(queue, peek) \
    ({ \
        struct sk_buff_head *__to = (queue); \
        struct sk_buff *__packet = peek(__to); \
        if (__packet) \
            __skb_unlink(__packet, __to); \
        __packet; \
    })
#define __skb_dequeue(queue) __skb_taken(queue, skb_peek)
#define __skb_dequeue_tail(queue) __skb_taken(queue, skb_peek_tail)
#define __skb_locked(queue, change) \
    ({ spin_lock(&(queue)->lock); change; spin_unlock(&(queue)->lock); })
#define skb_queue_head(queue, packet) \
    ({ struct sk_buff_head *__at = (queue); __skb_locked(__at, __skb_queue_head(__at, packet)); })
#define skb_queue_tail(queue, packet) \
    ({ struct sk_buff_head *__at = (queue); __skb_locked(__at, __skb_queue_tail(__at, packet)); })
#define skb_unlink(packet, queue) \
    ({ struct sk_buff_head *__at = (queue); __skb_locked(__at, __skb_unlink(packet, __at)); })
#define skb_dequeue(queue) \
    ({ struct sk_buff_head *__at = (queue); struct sk_buff *__first; __skb_locked(__at, __first = __skb_dequeue(__at)); __first; })
#define skb_dequeue_tail(queue) \
    ({ \
        struct sk_buff_head *__at = (queue); \
        struct sk_buff *__last; \
        __skb_locked(__at, __last = __skb_dequeue_tail(__at)); \
        __last; \
    })
#define skb_get(packet) ({ struct sk_buff *__shared = (packet); refcount_inc(&__shared->users); __shared; })
#define kfree_skb(packet) \
    ({ \
        struct sk_buff *__freed = (packet); \
        if (__freed && (refcount_read(&__freed->users) == 1 || refcount_dec_and_test(&__freed->users))) \
            kfree(__freed); \
    })
#define consume_skb(packet) kfree_skb(packet)
#define dev_kfree_skb(packet) kfree_skb(packet)
#define __skb_queue_purge(queue) \
    ({ struct sk_buff *__next; while ((__next = __skb_dequeue(queue))) kfree_skb(__next); })
/* It looks first. */
#define skb_queue_purge(queue) \
    ({ \
        struct sk_buff *__next; \
        if (!skb_queue_empty_lockless(queue)) \
            while ((__next = skb_dequeue(queue))) \
                kfree_skb(__next); \
    })
#define alloc_skb(size, flags) \
    ({ \
        struct sk_buff *__allocated = kzalloc(sizeof(struct sk_buff), flags); \
        (void)(size); \
        refcount_set(&__allocated->users, 1); \
        __allocated; \
    })
