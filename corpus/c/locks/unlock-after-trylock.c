//: about Only a lock that was taken is released: the condition is known at run time
//: check sc holds
//: check tso holds
//: check pso holds

#include <linux/spinlock.h>
#include <pthread.h>
#include <threads.h>

static DEFINE_SPINLOCK(spin);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mtx_t c11;
static pthread_rwlock_t readers;

static void *thread(void *unused)
{
    if (spin_trylock(&spin))
        spin_unlock(&spin);
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    if (mtx_trylock(&c11) == thrd_success)
        mtx_unlock(&c11);
    if (pthread_rwlock_trywrlock(&readers) == 0)
        pthread_rwlock_unlock(&readers);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    thread(NULL);
    pthread_join(t, NULL);
    return 0;
}
