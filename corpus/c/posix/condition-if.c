//: about A condition that is tested once: a wait may end for no reason
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t made;
static int ready;

static void *producer(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&made);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&made, NULL);
    pthread_create(&a, NULL, producer, NULL);
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&made, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
}
