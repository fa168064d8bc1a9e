//: about A waker of Linux looks for sleepers without a barrier after its store: the sleeper may find the condition false and the waker nobody
//: check sc holds
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int flag, done;

static int sleeper(void *unused)
{
    wait_event(queue, READ_ONCE(flag));
    WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    kthread_run(sleeper, NULL, "sleeper");
    WRITE_ONCE(flag, 1);
    if (waitqueue_active(&queue))
        wake_up(&queue);
    while (!READ_ONCE(done))
        cpu_relax();
    return 0;
}
