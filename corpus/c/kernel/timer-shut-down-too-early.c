//: about A timer that was shut down may still be going off
//: check sc violated
#include <linux/bug.h>
#include <linux/timer.h>

static int gone, ticks;

static void tick(struct timer_list *timer)
{
    BUG_ON(READ_ONCE(gone));
    ticks = (ticks + 1) % 3;
    mod_timer(timer, jiffies + HZ);
}

static DEFINE_TIMER(timer, tick);

int main(void)
{
    mod_timer(&timer, jiffies + HZ);
    timer_shutdown(&timer);
    WRITE_ONCE(gone, 1);
    return 0;
}
