//: about Work that two threads queue is executed once or twice, and never by two workers at once
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

static int count, inside;

static void handle(struct work_struct *unused)
{
    BUG_ON(inside);
    inside = 1;
    count++;
    inside = 0;
}

static DECLARE_WORK(work, handle);

static int other(void *unused)
{
    schedule_work(&work);
    return 0;
}

int main(void)
{
    struct task_struct *task = kthread_run(other, NULL, "other");
    schedule_work(&work);
    kthread_stop(task);
    flush_work(&work);
    BUG_ON(count < 1 || count > 2);
    return 0;
}
