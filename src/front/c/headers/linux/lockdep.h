#pragma once
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>
/* Whether a signal is there that ends a wait. Threads of the kernel ignore those that they have not allowed; to others
   there may be one at any time. One that ends a wait that can be killed is one that kills the process. */
bool __fencepost_takes(unsigned long signals);
#define __signalled() (__fencepost_takes(~0UL) && __VERIFIER_nondet_bool())
#define __killed() (__fencepost_takes(1UL << 9) && __VERIFIER_nondet_bool())
/* A lock for which a thread waits until a signal comes. Only who finds it taken, by a locked instruction, looks for
   one. */
#define __lock_or(attempt, is_over, wait) (__sync_synchronize(), (attempt) == 0 ? 0 : (is_over) ? -EINTR : (wait))
#define __lock_or_signal(attempt, wait) __lock_or(attempt, __signalled(), wait)
#define __lock_or_kill(attempt, wait) __lock_or(attempt, __killed(), wait)
/* None of these is checked: who holds a lock cannot be read. */
struct lock_class_key { char unused; };
#define lockdep_assert(condition) ((void)0)
#define lockdep_assert_held(l) ((void)(l))
#define lockdep_assert_held_once(l) ((void)(l))
#define lockdep_assert_held_write(l) ((void)(l))
#define lockdep_assert_held_read(l) ((void)(l))
#define lockdep_assert_not_held(l) ((void)(l))
#define lockdep_assert_none_held_once() ((void)0)
#define lockdep_assert_irqs_enabled() ((void)0)
#define lockdep_assert_irqs_disabled() ((void)0)
#define lockdep_assert_preemption_disabled() ((void)0)
#define lockdep_is_held(l) ((void)(l), 1)
#define lockdep_is_held_type(l, type) ((void)(l), 1)
#define lockdep_set_class(l, key) ((void)(l))
#define lockdep_set_class_and_name(l, key, name) ((void)(l))
#define lockdep_set_subclass(l, subclass) ((void)(l))
#define might_lock(l) ((void)(l))
#define might_lock_read(l) ((void)(l))
#define SINGLE_DEPTH_NESTING 1
