#pragma once
/* Types only: nothing calls what is queued, so queueing work is refused where it is called. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/timer.h>
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);
struct work_struct { atomic_long_t data; struct list_head entry; work_func_t func; };
struct delayed_work { struct work_struct work; struct timer_list timer; };
#define INIT_WORK(w, function) \
    ({ \
        struct work_struct *__work = (w); \
        atomic_long_set(&__work->data, 0); \
        INIT_LIST_HEAD(&__work->entry); \
        __work->func = (function); \
    })
