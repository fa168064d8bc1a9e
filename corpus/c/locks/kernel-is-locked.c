//: about Whoever sees a lock taken saw it being taken, not what was stored under it
//: check sc violated
//: check tso violated
#include <linux/spinlock.h>
#include <linux/bug.h>
#include <pthread.h>
#include <assert.h>
static DEFINE_SPINLOCK(lock);
static int x;
static void *run(void *unused) {
    spin_lock(&lock);
    WRITE_ONCE(x, 1);
    spin_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (spin_is_locked(&lock)) assert(READ_ONCE(x) == 1);
    pthread_join(t, 0);
    assert(!spin_is_locked(&lock));
}
