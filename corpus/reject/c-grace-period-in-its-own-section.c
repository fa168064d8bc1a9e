//: error "this waits for a read section of RCU that its own thread is in"
#include <linux/bug.h>
#include <linux/rcupdate.h>

int main(void)
{
    rcu_read_lock();
    synchronize_rcu();
    rcu_read_unlock();
    BUG_ON(1);
}
