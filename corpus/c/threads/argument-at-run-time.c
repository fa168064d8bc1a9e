//: about The argument of a thread is a value that is known at run time
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int seed, result;

static void *worker(void *arg)
{
    result = (int)(intptr_t)arg + 1;
    return NULL;
}

static void *starter(void *unused)
{
    int value = seed;
    pthread_t t;
    pthread_create(&t, NULL, worker, (void *)(intptr_t)value);
    pthread_join(t, NULL);
    assert(result == value + 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, starter, NULL);
    seed = 4;
    pthread_join(t, NULL);
    assert(result == 1 || result == 5);
    return 0;
}
