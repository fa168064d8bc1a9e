//: about -1 as a pointer is UINTPTR_MAX as a number, and the address of no object
//: check sc holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static volatile int fails = 1;
static int object;

static void *thread(void *unused)
{
    return fails ? (void *)-1 : &object;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, &result);
    assert(result == (void *)-1 && result == (void *)UINTPTR_MAX && result != &object);
    assert((uintptr_t)result == (uintptr_t)-1 && (uintptr_t)result > 1000);
    assert((intptr_t)result == -1);
    return 0;
}
