//: about The function of a thread is not called if the thread is stopped before it begins
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/kthread.h>

static int cleaned;

static int sleeper(void *unused)
{
    while (!kthread_should_stop())
        cpu_relax();
    cleaned = 1;
    return 0;
}

int main(void)
{
    struct task_struct *task = kthread_run(sleeper, NULL, "sleeper");
    kthread_stop(task);
    BUG_ON(!cleaned);
    return 0;
}
