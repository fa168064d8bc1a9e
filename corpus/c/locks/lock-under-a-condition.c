//: about A mutex is taken and released under the same condition
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int shared;
static int counter;

static void *thread(void *unused)
{
    int needed = shared;
    if (needed)
        pthread_mutex_lock(&lock);
    if (needed)
        counter++;
    if (needed)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    shared = 1;
    thread(NULL);
    pthread_join(t, NULL);
    assert(counter == 1 || counter == 2);
    return 0;
}
