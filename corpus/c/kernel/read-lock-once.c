//: about The same where the reader counts under the lock that it has
//: forbid stuck
//: check sc holds
//: check tso holds
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/spinlock.h>

static DEFINE_RWLOCK(lock);
static int count;


static int reader(void *unused)
{
    read_lock(&lock);
    (void)count;
    read_unlock(&lock);
    return 0;
}

static int writer(void *unused)
{
    write_lock(&lock);
    count++;
    write_unlock(&lock);
    return 0;
}

static int __init begin(void)
{
    kthread_run(reader, NULL, "reader");
    kthread_run(writer, NULL, "writer");
    return 0;
}
module_init(begin);
MODULE_LICENSE("GPL");
