//: about Two threads that wait exclusively are all woken by `wake_up_all`
//: check sc holds
//: check tso holds
// fencepost: forbid stuck
#include <linux/atomic.h>
#include <linux/kthread.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int open;
static atomic_t through = ATOMIC_INIT(0);

static int sleeper(void *unused)
{
    DEFINE_WAIT(wait);
    for (;;) {
        prepare_to_wait_exclusive(&queue, &wait, TASK_UNINTERRUPTIBLE);
        if (READ_ONCE(open))
            break;
        schedule();
    }
    finish_wait(&queue, &wait);
    atomic_inc(&through);
    return 0;
}

int main(void)
{
    kthread_run(sleeper, NULL, "first");
    kthread_run(sleeper, NULL, "second");
    WRITE_ONCE(open, 1);
    wake_up_all(&queue);
    while (atomic_read(&through) != 2)
        cpu_relax();
    return 0;
}
