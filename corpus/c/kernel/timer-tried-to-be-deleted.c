//: about Trying to delete a timer does not wait for its function, and says so
//: check sc holds
//: check tso holds
#include <linux/bug.h>
#include <linux/timer.h>

static int inside;

static void fires(struct timer_list *timer)
{
    WRITE_ONCE(inside, 1);
    WRITE_ONCE(inside, 0);
}

static DEFINE_TIMER(timer, fires);

int main(void)
{
    mod_timer(&timer, jiffies + 1);
    int result = try_to_del_timer_sync(&timer);
    BUG_ON(result >= 0 && READ_ONCE(inside));
}
