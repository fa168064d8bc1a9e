//: about A pointer to the end of an array, made by `&a[i]`, is used
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int array[2], beside;
static atomic_int now;

static void *thread(void *unused)
{
    int *end = &array[1 + atomic_load(&now)];
    *end = 9;
    assert(beside == 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    atomic_store(&now, 1);
    pthread_join(a, NULL);
    return 0;
}
