//: about A worker clears a bit and wakes the thread that waits for it
//: check sc holds
//: check tso holds
// fencepost: forbid stuck
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/wait_bit.h>
static unsigned long flags = 1;
static int done;
static int worker(void *u) { WRITE_ONCE(done, 1); clear_and_wake_up_bit(0, &flags); return 0; }
int main(void)
{
    kthread_run(worker, 0, "w");
    wait_on_bit(&flags, 0, TASK_UNINTERRUPTIBLE);
    BUG_ON(!READ_ONCE(done));
    return 0;
}
