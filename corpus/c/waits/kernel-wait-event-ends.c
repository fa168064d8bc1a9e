//: about Neither sleeps forever: the condition is looked at after the queue is entered, and the waker takes its lock
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <linux/bug.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static DECLARE_COMPLETION(done);
static int flag, data;

static int worker(void *unused)
{
    wait_event(queue, READ_ONCE(flag));
    WRITE_ONCE(data, 1);
    complete(&done);
    return 0;
}

int main(void)
{
    kthread_run(worker, NULL, "worker");
    WRITE_ONCE(flag, 1);
    wake_up(&queue);
    wait_for_completion(&done);
    BUG_ON(READ_ONCE(data) != 1);
    return 0;
}
