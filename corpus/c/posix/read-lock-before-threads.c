//: about `main` takes a lock for reading before there are threads: no other one can write, but read
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *unused)
{
    assert(pthread_rwlock_trywrlock(&lock) != 0);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}
