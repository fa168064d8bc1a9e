//: about What a loop of a thread has queued may be executed after that has stopped
//: check sc violated
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/workqueue.h>

static int gone;

static void use(struct work_struct *unused)
{
    BUG_ON(READ_ONCE(gone));
}

static DECLARE_WORK(work, use);

static int produce(void *unused)
{
    while (!kthread_should_stop())
        schedule_work(&work);
    return 0;
}

int main(void)
{
    struct task_struct *task = kthread_run(produce, 0, "produce");
    kthread_stop(task);
    WRITE_ONCE(gone, 1);
    return 0;
}
