#pragma once
#include <linux/errno.h>
/* A lock for which a thread waits until a signal comes. Only who finds it taken, by a locked instruction, looks for
   one. */
#define __lock_or_signal(attempt, wait) \
    (__sync_synchronize(), (attempt) == 0 ? 0 : __VERIFIER_nondet_bool() ? -EINTR : (wait))
/* None of these is checked: who holds a lock cannot be read. */
#include <linux/compiler.h>
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
