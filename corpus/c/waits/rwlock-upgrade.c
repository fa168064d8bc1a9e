//: about A reader asks for the lock as a writer, and waits for itself
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *unused)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return NULL;
}

static void *second(void *unused)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
