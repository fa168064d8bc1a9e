//: about Condition variable: the consumer waits for what the producer made
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static bool ready;
static int item;

static void *producer(void *unused)
{
    pthread_mutex_lock(&mutex);
    item = 7;
    ready = true;
    pthread_cond_signal(&made);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&made, &mutex);
    assert(item == 7);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
