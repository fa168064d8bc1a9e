//: about Allocations next to locks, whose loops do not repeat them; an arbitrary value in a block
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *thread(void *unused)
{
    int *own = malloc(sizeof(int));
    pthread_mutex_lock(&mutex);
    int value = __VERIFIER_nondet_int();
    *own = value;
    shared = own;
    assert(*shared == value);
    pthread_mutex_unlock(&mutex);
    own = malloc(sizeof(int));
    *own = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
