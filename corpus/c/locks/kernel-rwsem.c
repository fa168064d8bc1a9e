//: about A region that one thread moves as a writer, and two read; a writer becomes a reader without a gap
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/rwsem.h>

static DECLARE_RWSEM(semaphore);
static int start = 1, end = 2;

static int fault(void *unused)
{
    down_read(&semaphore);
    BUG_ON(end - start != 1);
    up_read(&semaphore);
    return 0;
}

static int move(void *unused)
{
    if (!down_write_trylock(&semaphore))
        return -EAGAIN;
    start = 7;
    end = 8;
    downgrade_write(&semaphore);
    BUG_ON(start != 7);
    up_read(&semaphore);
    return 0;
}

int main(void)
{
    kthread_run(fault, NULL, "fault");
    kthread_run(move, NULL, "move");
    down_write(&semaphore);
    start++;
    end++;
    up_write(&semaphore);
    return 0;
}
