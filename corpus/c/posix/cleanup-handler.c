//: about A handler for the end of a thread is called where it is popped
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void release(void *taken)
{
    pthread_mutex_unlock(taken);
}

static void *thread(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(release, &mutex);
    count++;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(count == 2);
    return 0;
}
