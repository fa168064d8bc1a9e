//: about A semaphore that starts with 2 lets both threads in
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/semaphore.h>

static DEFINE_SEMAPHORE(one, 2);
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

// race: `inside` (lines 17 and 26)
