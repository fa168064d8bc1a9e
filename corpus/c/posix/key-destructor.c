//: about The end of a thread gives its values to the destructors of their keys, by a return and by `pthread_exit`
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t counted, unset, plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, others;

static void add(void *amount)
{
    assert(pthread_getspecific(counted) == NULL);
    pthread_mutex_lock(&mutex);
    count += *(int *)amount;
    pthread_mutex_unlock(&mutex);
    free(amount);
}

static void never(void *unused)
{
    others++;
}

static void *thread(void *ends)
{
    int *amount = malloc(sizeof *amount);
    *amount = 2;
    pthread_setspecific(counted, amount);
    pthread_setspecific(plain, amount);
    pthread_setspecific(unset, amount);
    pthread_setspecific(unset, NULL);
    if (ends != NULL)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_key_create(&counted, add);
    pthread_key_create(&unset, never);
    pthread_key_create(&plain, NULL);
    pthread_setspecific(unset, &count);
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, &count);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(count == 4 && others == 0);
    return 0;
}
