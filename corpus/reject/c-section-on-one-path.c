//: error "whether this thread is in a read section of RCU here depends on the path"
#include <linux/kthread.h>
#include <linux/rcupdate.h>

static int shared;

static int reader(void *unused)
{
    int looks = READ_ONCE(shared);
    if (looks)
        rcu_read_lock();
    WRITE_ONCE(shared, 2);
    if (looks)
        rcu_read_unlock();
    return 0;
}

int main(void)
{
    kthread_run(reader, NULL, "reader");
    WRITE_ONCE(shared, 1);
    synchronize_rcu();
    return 0;
}
