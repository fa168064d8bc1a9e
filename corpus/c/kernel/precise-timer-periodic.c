//: about A timer that starts itself again by what its function yields does not go off any more when it is cancelled
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/hrtimer.h>

static int gone, ticks;
static struct hrtimer timer;

static enum hrtimer_restart tick(struct hrtimer *of)
{
    BUG_ON(gone);
    ticks = (ticks + 1) % 3;
    hrtimer_forward_now(of, ms_to_ktime(1));
    return HRTIMER_RESTART;
}

int main(void)
{
    hrtimer_setup(&timer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
    hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL);
    hrtimer_cancel(&timer);
    gone = 1;
    return 0;
}
