//: about The argument of a thread is a pointer that is chosen at run time
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choice, a, b;

static void *worker(void *arg)
{
    atomic_int *chosen = arg;
    *chosen = 1;
    return NULL;
}

static void *starter(void *unused)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, choice ? &a : &b);
    pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, starter, NULL);
    choice = 1;
    pthread_join(t, NULL);
    assert(a + b == 1);
    return 0;
}
