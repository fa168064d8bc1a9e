//: about The end of a thread calls the handlers around it, the last one first, also where a function ends it
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, order;

static void release(void *taken)
{
    assert(order == 1);
    order = 2;
    pthread_mutex_unlock(taken);
}

static void note(void *amount)
{
    assert(order == 0);
    order = 1;
    count += *(int *)amount;
}

static void give_up(void)
{
    pthread_exit(NULL);
}

static void *thread(void *argument)
{
    static int amount = 2;

    pthread_mutex_lock(&mutex);
    order = 0;
    pthread_cleanup_push(release, &mutex);
    pthread_cleanup_push(note, &amount);
    if (argument == NULL)
        give_up();
    pthread_cleanup_pop(0);
    order = 1;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, &count);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(count == 2);
    return 0;
}
