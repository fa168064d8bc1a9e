//: about A condition becomes true, and nothing wakes the thread that sleeps until it does
//: check sc violated
//: check tso violated
//: check pso violated
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
    // No wake-up.
    wait_for_completion(&done);
    BUG_ON(READ_ONCE(data) != 1);
    return 0;
}
