//: about A timer that goes off once, at the latest before the cancellation that finds nothing to cancel
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/hrtimer.h>

static int ticks;
static struct hrtimer timer;

static enum hrtimer_restart tick(struct hrtimer *of)
{
    ticks++;
    return HRTIMER_NORESTART;
}

int main(void)
{
    hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
    timer.function = tick;
    hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL);
    int was_queued = hrtimer_cancel(&timer);
    BUG_ON(ticks != !was_queued);
    return 0;
}
