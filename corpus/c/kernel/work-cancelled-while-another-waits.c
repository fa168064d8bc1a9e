//: about Cancelling work does not wait for it, though another thread does
//: check sc violated
//: check tso violated
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

static int inside;

static void act(struct work_struct *work)
{
    WRITE_ONCE(inside, 1);
    WRITE_ONCE(inside, 0);
}

static DECLARE_WORK(work, act);

static int waits(void *unused)
{
    cancel_work_sync(&work);
    return 0;
}

int main(void)
{
    schedule_work(&work);
    kthread_run(waits, NULL, "waits");
    if (READ_ONCE(inside)) {
        cancel_work(&work);
        /* Another thread may keep it pending, so that it cannot be queued again: it is still executed. */
        if (!schedule_work(&work)) {
            cancel_work(&work);
            BUG_ON(READ_ONCE(inside));
        }
    }
}
