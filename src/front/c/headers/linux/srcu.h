#pragma once
/* Read sections do nothing, which is less than in Linux. Waiting for readers is refused. */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
struct srcu_struct { int unused; };
#define DEFINE_SRCU(name) struct srcu_struct name = { 0 }
#define DEFINE_STATIC_SRCU(name) static struct srcu_struct name = { 0 }
#define init_srcu_struct(s) ((void)(s), 0)
#define cleanup_srcu_struct(s) ((void)(s))
#define srcu_read_lock(s) ((void)(s), 0)
#define srcu_read_unlock(s, index) ((void)(s), (void)(index))
#define srcu_dereference(p, s) READ_ONCE(p)
#define srcu_dereference_check(p, s, condition) READ_ONCE(p)
