#pragma once
/* A domain has two bits for each thread, so that a thread can be in two read sections of it at once. Both ends of a
   section are full barriers, as in Linux on x86. */
#include <linux/bug.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
struct srcu_struct { unsigned int inside, callbacks; };
int srcu_read_lock(struct srcu_struct *domain);
void srcu_read_unlock(struct srcu_struct *domain, int index);
void synchronize_srcu(struct srcu_struct *domain);
void call_srcu(struct srcu_struct *domain, struct rcu_head *head, void (*function)(struct rcu_head *));
void srcu_barrier(struct srcu_struct *domain);
#define DEFINE_SRCU(name) struct srcu_struct name = { 0 }
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name = { 0 }
#define init_srcu_struct(s) ({ struct srcu_struct *__domain = (s); __domain->inside = __domain->callbacks = 0; 0; })
#define cleanup_srcu_struct(s) ({ struct srcu_struct *__domain = (s); BUG_ON(READ_ONCE(__domain->inside) != 0); })
#define srcu_read_lock_nmisafe(s) srcu_read_lock(s)
#define srcu_read_unlock_nmisafe(s, index) srcu_read_unlock(s, index)
#define srcu_read_lock_notrace(s) srcu_read_lock(s)
#define srcu_read_unlock_notrace(s, index) srcu_read_unlock(s, index)
#define srcu_read_lock_held(s) ((void)(s), 1)
#define smp_mb__after_srcu_read_unlock() barrier()
#define synchronize_srcu_expedited(s) synchronize_srcu(s)
#define srcu_dereference(p, s) READ_ONCE(p)
#define srcu_dereference_check(p, s, condition) READ_ONCE(p)
