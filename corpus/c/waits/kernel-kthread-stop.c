//: about A thread of Linux that sleeps until it is stopped, which may happen before it has begun
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/kthread.h>

static int cleaned;

static int sleeper(void *unused)
{
    for (;;) {
        set_current_state(TASK_INTERRUPTIBLE);
        if (kthread_should_stop())
            break;
        schedule();
    }
    __set_current_state(TASK_RUNNING);
    cleaned = 1;
    return 7;
}

int main(void)
{
    struct task_struct *task = kthread_run(sleeper, NULL, "sleeper");
    int result = kthread_stop(task);
    BUG_ON(result != 7 && result != -EINTR);
    BUG_ON(cleaned != (result == 7));
    return 0;
}
