//: about A wait whose time may be over before the condition holds
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *thread(void *unused)
{
    struct timespec until = { 0 };
    pthread_mutex_lock(&mutex);
    while (!ready)
        if (pthread_cond_timedwait(&changed, &mutex, &until) == ETIMEDOUT)
            break;
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
}
