//: about A timer may still go off after an attempt to cancel it that did not wait
//: check sc violated
//: check tso violated
#include <linux/bug.h>
#include <linux/hrtimer.h>

static int gone, ticks;
static struct hrtimer timer;

static enum hrtimer_restart tick(struct hrtimer *of)
{
    BUG_ON(gone);
    ticks = (ticks + 1) % 3;
    hrtimer_forward_now(of, ms_to_ktime(1));
    return HRTIMER_NORESTART;
}

int main(void)
{
    hrtimer_setup(&timer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
    hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL);
    hrtimer_try_to_cancel(&timer);
    gone = 1;
    return 0;
}

// race: `gone` (lines 12 and 23)
