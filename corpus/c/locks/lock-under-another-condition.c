//: about A mutex is released under another condition than it was taken
//: check sc violated
//: check tso violated
//: check pso violated

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int shared;

static void *thread(void *unused)
{
    if (shared)
        pthread_mutex_lock(&lock);
    if (shared)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    shared = 1;
    pthread_join(t, NULL);
    return 0;
}
