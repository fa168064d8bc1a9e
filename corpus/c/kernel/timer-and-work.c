//: about A timer queues work, which arms the timer: the work is executed a third time
//: check sc violated
#include <linux/bug.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static void reset(struct work_struct *unused);
static void tick(struct timer_list *unused);
static DECLARE_WORK(work, reset);
static DEFINE_TIMER(timer, tick);
static int count;

static void reset(struct work_struct *unused)
{
    BUG_ON(++count == 3);
    mod_timer(&timer, jiffies + HZ);
}

static void tick(struct timer_list *unused)
{
    schedule_work(&work);
}

int main(void)
{
    mod_timer(&timer, jiffies + HZ);
    return 0;
}
