//: about Arming a timer again that is armed orders nothing, and the timer may miss what was written
//: check sc holds
//: check tso violated
#include <linux/bug.h>
#include <linux/timer.h>

static int wanted, seen;

static void tick(struct timer_list *unused)
{
    WRITE_ONCE(seen, READ_ONCE(wanted));
}

static DEFINE_TIMER(timer, tick);

int main(void)
{
    int was_armed;
    mod_timer(&timer, 1);
    WRITE_ONCE(wanted, 1);
    was_armed = mod_timer(&timer, 1);
    while (timer_pending(&timer))
        ;
    timer_delete_sync(&timer);
    BUG_ON(was_armed && !READ_ONCE(seen));
    return 0;
}
