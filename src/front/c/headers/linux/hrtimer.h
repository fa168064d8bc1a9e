#pragma once
/* A timer goes off at any time after it was started, or not within the run: time is not modelled. It goes off again where
   its function says so. */
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/timer.h>
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode {
    HRTIMER_MODE_ABS = 0, HRTIMER_MODE_REL = 1, HRTIMER_MODE_PINNED = 2, HRTIMER_MODE_SOFT = 4, HRTIMER_MODE_HARD = 8,
    HRTIMER_MODE_ABS_PINNED = 2, HRTIMER_MODE_REL_PINNED = 3, HRTIMER_MODE_ABS_SOFT = 4, HRTIMER_MODE_REL_SOFT = 5,
    HRTIMER_MODE_ABS_HARD = 8, HRTIMER_MODE_REL_HARD = 9
};
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_BOOTTIME 7
/* `data` is that of a timer. */
struct hrtimer { unsigned int data; ktime_t expires; enum hrtimer_restart (*function)(struct hrtimer *timer); };
void __fencepost_start_hrtimer(struct hrtimer *timer);
bool hrtimer_active(const struct hrtimer *timer);
int hrtimer_cancel(struct hrtimer *timer);
int hrtimer_try_to_cancel(struct hrtimer *timer);
#define hrtimer_init(t, clock, mode) ({ struct hrtimer *__timer = (t); __timer->data = 0; __timer->function = NULL; })
#define hrtimer_setup(t, routine, clock, mode) \
    ({ struct hrtimer *__timer = (t); __timer->data = 0; __timer->function = (routine); })
#define hrtimer_init_on_stack(t, clock, mode) hrtimer_init(t, clock, mode)
#define hrtimer_setup_on_stack(t, routine, clock, mode) hrtimer_setup(t, routine, clock, mode)
#define destroy_hrtimer_on_stack(t) ((void)(t))
#define hrtimer_start(t, time, mode) ((void)(time), (void)(mode), __fencepost_start_hrtimer(t))
#define hrtimer_start_range_ns(t, time, delta, mode) ((void)(delta), hrtimer_start(t, time, mode))
#define hrtimer_start_expires(t, mode) ((void)(mode), __fencepost_start_hrtimer(t))
static void hrtimer_restart(struct hrtimer *timer)
{
    __fencepost_start_hrtimer(timer);
}
#define hrtimer_set_expires(t, time) ((void)((t)->expires = (time)))
#define hrtimer_get_expires(t) ((t)->expires)
#define hrtimer_cb_get_time(t) ((void)(t), ktime_get())
/* How many periods are over. */
#define hrtimer_forward(t, now, period) ((void)(t), (void)(now), (void)(period), (u64)(rand() & 0x3fffffff))
#define hrtimer_forward_now(t, period) ((void)(t), (void)(period), (u64)(rand() & 0x3fffffff))
#define hrtimer_is_queued(t) ((bool)(READ_ONCE((t)->data) & 1))
