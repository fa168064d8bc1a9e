//: about A lock in a bit, released by a store of the word: its other bits must not change in between
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/bitops.h>
#include <linux/bug.h>
#include <pthread.h>

static unsigned long flags;

static void *holder(void *unused)
{
    while (test_and_set_bit_lock(0, &flags))
        cpu_relax();
    __clear_bit_unlock(0, &flags);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, holder, NULL);
    set_bit(1, &flags);
    pthread_join(t, NULL);
    BUG_ON(!test_bit(1, &flags));
    return 0;
}
