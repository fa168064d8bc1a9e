//: about Reference counts, bits, mutexes and spinlocks of the kernel
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <errno.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/mutex.h>
#include <pthread.h>
atomic_t refs = ATOMIC_INIT(1);
unsigned long bits;
int freed;
DEFINE_MUTEX(m);
DEFINE_SPINLOCK(l);
void *get(void *u) {
    unsigned long flags;
    if (atomic_inc_not_zero(&refs)) { assert(!freed); if (atomic_dec_and_test(&refs)) freed = 1; }
    mutex_lock(&m); 
    if (!test_and_set_bit(3, &bits)) assert(test_bit(3, &bits));
    clear_bit(3, &bits);
    mutex_unlock(&m);
    spin_lock_irqsave(&l, flags);
    spin_unlock_irqrestore(&l, flags);
    if (spin_trylock(&l)) spin_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    if (atomic_dec_and_test(&refs)) freed = 1;
    if (mutex_trylock(&m)) mutex_unlock(&m);
    pthread_join(a, 0);
    assert(freed);
}
