#pragma once
/* rcu_read_lock, rcu_read_unlock, synchronize_rcu are known by name. Read sections of all kinds are the same, whatever
   they keep off, and so are grace periods. */
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <asm/barrier.h>
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_raw(p) READ_ONCE(p)
#define rcu_dereference_check(p, condition) READ_ONCE(p)
#define rcu_dereference_protected(p, condition) (p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), (v))
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define RCU_INITIALIZER(v) (v)
#define rcu_dereference_bh(p) READ_ONCE(p)
#define rcu_dereference_bh_check(p, condition) READ_ONCE(p)
#define rcu_dereference_sched(p) READ_ONCE(p)
#define rcu_dereference_sched_check(p, condition) READ_ONCE(p)
#define rcu_dereference_raw_check(p) READ_ONCE(p)
#define rcu_replace_pointer(p, v, condition) \
    ({ \
        __typeof__(&(p)) __at = &(p); \
        __typeof__(p) __replaced = *__at; \
        rcu_assign_pointer(*__at, v); \
        __replaced; \
    })
#define rcu_swap_protected(p, own, condition) \
    ({ __typeof__(own) __swapped = (p); rcu_assign_pointer(p, own); (own) = __swapped; })
#define rcu_pointer_handoff(p) (p)
#define unrcu_pointer(p) (p)
#define rcu_read_lock_bh() rcu_read_lock()
#define rcu_read_unlock_bh() rcu_read_unlock()
#define rcu_read_lock_sched() rcu_read_lock()
#define rcu_read_unlock_sched() rcu_read_unlock()
#define rcu_read_lock_held() 1
#define rcu_read_lock_bh_held() 1
#define rcu_read_lock_sched_held() 1
#define rcu_read_lock_any_held() 1
#define synchronize_rcu_expedited() synchronize_rcu()
#define synchronize_rcu_bh() synchronize_rcu()
#define synchronize_sched() synchronize_rcu()
#define synchronize_sched_expedited() synchronize_rcu()
#define synchronize_net() synchronize_rcu()
#define call_rcu_hurry(head, function) call_rcu(head, function)
/* Of a block and the name of its head, or of a block alone. */
#define kfree_rcu(block, ...) kvfree_call_rcu(NULL, (void *)(block))
#define kvfree_rcu(block, ...) kfree_rcu(block)
#define kfree_rcu_mightsleep(block) kfree_rcu(block)
#define kvfree_rcu_mightsleep(block) kfree_rcu(block)
void call_rcu(struct rcu_head *head, void (*function)(struct rcu_head *));
void rcu_barrier(void);
void kvfree_call_rcu(struct rcu_head *head, void *block);
#define RCU_LOCKDEP_WARN(condition, text) ((void)0)
#define init_rcu_head(head) ((void)(head))
#define destroy_rcu_head(head) ((void)(head))
DEFINE_LOCK_GUARD_0(rcu, rcu_read_lock(), rcu_read_unlock())
