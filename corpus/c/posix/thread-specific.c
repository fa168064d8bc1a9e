//: about Each thread counts in memory that it finds by a key, which the first thread that needs it creates; the sums meet under a mutex
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void create(void)
{
    int failed = pthread_key_create(&key, NULL);

    assert(!failed);
}

static int *own(void)
{
    pthread_once(&once, create);
    int *count = pthread_getspecific(key);

    if (!count) {
        count = calloc(1, sizeof(*count));
        pthread_setspecific(key, count);
    }
    return count;
}

static void *worker(void *times)
{
    for (long i = 0; i < (long)times; i++)
        ++*own();
    pthread_mutex_lock(&mutex);
    sum += *own();
    pthread_mutex_unlock(&mutex);
    free(own());
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 3);
    return 0;
}
