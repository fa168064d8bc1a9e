//: about A mutex that is free is taken whether there is a signal or not
//: check sc holds
//: check tso holds
// fencepost: thread operate
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>

static DEFINE_MUTEX(lock);
static DECLARE_RWSEM(rwsem);
static DEFINE_SEMAPHORE(count, 1);

void operate(void)
{
    BUG_ON(mutex_lock_interruptible(&lock));
    mutex_unlock(&lock);
    BUG_ON(down_write_killable(&rwsem));
    up_write(&rwsem);
    BUG_ON(down_interruptible(&count));
    up(&count);
}
