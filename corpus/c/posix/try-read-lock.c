//: about Readers do not exclude each other: each attempt to take the lock for reading succeeds
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    int busy = pthread_rwlock_tryrdlock(&lock);
    assert(!busy);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
