//: about Each access is under a lock, but not under the same one
//: check sc violated
//: check tso violated
//: check pso violated

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *unused)
{
    pthread_mutex_lock(&one);
    counter++;
    pthread_mutex_unlock(&one);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&two);
    counter++;
    pthread_mutex_unlock(&two);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}

// race: `counter` (lines 15 and 25)
