//: about Of two threads of user space one finds the mutex taken, and gets a signal instead: it leaves its mark
//: check sc violated
//: check tso violated
// fencepost: thread operate:2
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int users;

static int use(void)
{
    if (mutex_lock_interruptible(&lock))
        return -ERESTARTSYS;
    users++;
    BUG_ON(users != 1);
    users--;
    mutex_unlock(&lock);
    return 0;
}

void operate(void)
{
    BUG_ON(use());
}
