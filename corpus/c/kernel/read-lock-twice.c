//: about A reader that locks again may wait behind a writer, which waits for its first lock
//: forbid stuck
//: check sc violated
//: check tso violated
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/spinlock.h>

static DEFINE_RWLOCK(lock);
static int count;

static int counted(void)
{
    int seen;

    read_lock(&lock);
    seen = count;
    read_unlock(&lock);
    return seen;
}

static int reader(void *unused)
{
    read_lock(&lock);
    counted();
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
