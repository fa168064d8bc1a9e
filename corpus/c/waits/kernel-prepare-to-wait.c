//: about A driver of Linux sleeps by hand until there is a request, and the other side wakes its queue
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(queue);
static DEFINE_SPINLOCK(lock);
static int requests, served;

static int take(void)
{
    int any;
    spin_lock(&lock);
    any = requests;
    requests = 0;
    spin_unlock(&lock);
    return any;
}

static int server(void *unused)
{
    DEFINE_WAIT(wait);
    for (;;) {
        prepare_to_wait(&queue, &wait, TASK_INTERRUPTIBLE);
        if (take())
            break;
        schedule();
    }
    finish_wait(&queue, &wait);
    WRITE_ONCE(served, 1);
    return 0;
}

int main(void)
{
    kthread_run(server, NULL, "server");
    spin_lock(&lock);
    requests++;
    spin_unlock(&lock);
    wake_up_interruptible(&queue);
    while (!READ_ONCE(served))
        cpu_relax();
    BUG_ON(waitqueue_active(&queue) && requests);
    return 0;
}
