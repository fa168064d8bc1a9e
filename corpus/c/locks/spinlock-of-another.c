//: about A thread releases the spin lock that another one holds, in some executions
//: check sc violated
//: check tso violated
//: check pso violated

#include <linux/spinlock.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);

static void *careless(void *unused)
{
    spin_trylock(&lock);
    spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, careless, NULL);
    spin_lock(&lock);
    spin_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
