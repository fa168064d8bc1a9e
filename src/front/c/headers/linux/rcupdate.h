#pragma once
/* rcu_read_lock, rcu_read_unlock, synchronize_rcu are known by name, or refused where they are called. */
#include <linux/compiler.h>
#include <linux/irqflags.h>
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
