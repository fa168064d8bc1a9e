//: about Work sees what was written before it was queued, also where it was pending already
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

static int wanted, seen;

static void look(struct work_struct *unused)
{
    WRITE_ONCE(seen, READ_ONCE(wanted));
}

static DECLARE_WORK(work, look);

static int first(void *unused)
{
    schedule_work(&work);
    return 0;
}

int main(void)
{
    struct task_struct *task = kthread_run(first, NULL, "first");
    WRITE_ONCE(wanted, 1);
    schedule_work(&work);
    kthread_stop(task);
    flush_work(&work);
    BUG_ON(!READ_ONCE(seen));
    return 0;
}
