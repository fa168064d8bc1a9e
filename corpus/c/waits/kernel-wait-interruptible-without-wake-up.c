//: about No signal has to come: an interruptible wait without a wake-up may last forever
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <linux/kthread.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int flag, done;

static int sleeper(void *unused)
{
    if (wait_event_interruptible(queue, READ_ONCE(flag)))
        WRITE_ONCE(done, 2);
    else
        WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    kthread_run(sleeper, NULL, "sleeper");
    WRITE_ONCE(flag, 1);
    while (!READ_ONCE(done))
        cpu_relax();
    return 0;
}
