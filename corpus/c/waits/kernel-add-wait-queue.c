//: about The older form: the thread enters the queue once, and announces before each look that it sleeps
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int flag, done;

static int sleeper(void *unused)
{
    DECLARE_WAITQUEUE(wait, current);
    add_wait_queue(&queue, &wait);
    for (;;) {
        set_current_state(TASK_UNINTERRUPTIBLE);
        if (READ_ONCE(flag))
            break;
        schedule();
    }
    __set_current_state(TASK_RUNNING);
    remove_wait_queue(&queue, &wait);
    WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    kthread_run(sleeper, NULL, "sleeper");
    WRITE_ONCE(flag, 1);
    wake_up(&queue);
    while (!READ_ONCE(done))
        cpu_relax();
    return 0;
}
