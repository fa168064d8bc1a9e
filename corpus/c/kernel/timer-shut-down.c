//: about A timer that was shut down is never armed again, by itself or others
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/timer.h>

static int gone, ticks;

static void tick(struct timer_list *timer)
{
    BUG_ON(gone);
    ticks = (ticks + 1) % 3;
    mod_timer(timer, jiffies + HZ);
}

static DEFINE_TIMER(timer, tick);

int main(void)
{
    mod_timer(&timer, jiffies + HZ);
    timer_shutdown_sync(&timer);
    BUG_ON(mod_timer(&timer, jiffies));
    gone = 1;
    return 0;
}
