//: about A timer that arms itself queues work again after that was cancelled, until it is deleted
//: check sc violated
#include <linux/bug.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static int gone;

static void reset(struct work_struct *unused)
{
    BUG_ON(READ_ONCE(gone));
}

static DECLARE_WORK(work, reset);

static void tick(struct timer_list *timer)
{
    BUG_ON(READ_ONCE(gone));
    schedule_work(&work);
    mod_timer(timer, jiffies + HZ);
}

static DEFINE_TIMER(timer, tick);

int main(void)
{
    mod_timer(&timer, jiffies + HZ);
    cancel_work_sync(&work);
    timer_delete_sync(&timer);
    WRITE_ONCE(gone, 1);
    return 0;
}
