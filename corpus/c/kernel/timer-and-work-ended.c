//: about A timer that arms itself is deleted, and then the work that it has queued is cancelled
//: check sc holds
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
    timer_delete_sync(&timer);
    cancel_work_sync(&work);
    WRITE_ONCE(gone, 1);
    return 0;
}
