//: about A condition that is looked at with a lock, which is released while the thread sleeps
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
static int tokens, done;

static int taker(void *unused)
{
    spin_lock_irq(&lock);
    wait_event_lock_irq(queue, tokens > 0, lock);
    tokens--;
    spin_unlock_irq(&lock);
    WRITE_ONCE(done, 1);
    return 0;
}

int main(void)
{
    kthread_run(taker, NULL, "taker");
    spin_lock_irq(&lock);
    tokens++;
    spin_unlock_irq(&lock);
    wake_up(&queue);
    while (!READ_ONCE(done))
        cpu_relax();
    spin_lock_irq(&lock);
    BUG_ON(tokens);
    spin_unlock_irq(&lock);
    return 0;
}
