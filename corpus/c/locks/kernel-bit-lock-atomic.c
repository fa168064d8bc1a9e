//: about A lock in a bit, released by a locked instruction: its other bits may change
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bitops.h>
#include <linux/bug.h>
#include <pthread.h>

static unsigned long flags;

static void *holder(void *unused)
{
    while (test_and_set_bit_lock(0, &flags))
        cpu_relax();
    clear_bit_unlock(0, &flags);
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
