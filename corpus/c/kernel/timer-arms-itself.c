//: about A timer that arms itself does not go off any more when it has been deleted
//: check sc holds
//: check tso holds
//: check pso holds
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
    timer_delete_sync(&timer);
    gone = 1;
    return 0;
}
