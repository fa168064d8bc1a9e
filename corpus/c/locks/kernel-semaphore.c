//: about A semaphore lets one thread in at a time
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/semaphore.h>

static DEFINE_SEMAPHORE(one, 1);
static int inside;

static int enter(void *unused)
{
    if (down_interruptible(&one))
        return -EINTR;
    BUG_ON(inside++);
    inside--;
    up(&one);
    return 0;
}

int main(void)
{
    kthread_run(enter, NULL, "enter");
    if (!down_trylock(&one)) {
        BUG_ON(inside++);
        inside--;
        up(&one);
    }
    return 0;
}
