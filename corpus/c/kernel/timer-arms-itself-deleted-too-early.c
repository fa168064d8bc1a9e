//: about A timer that arms itself may do that after it was deleted without waiting
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
    timer_delete(&timer);
    WRITE_ONCE(gone, 1);
    return 0;
}
