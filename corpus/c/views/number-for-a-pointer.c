//: about A pointer stored through an integer's address, and the other way round: the number is the same
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uintptr_t cells[2];
static volatile int one = 1;

static void *thread(void *unused)
{
    void **pointers = (void **)cells;
    pointers[one] = (void *)(intptr_t)5;
    assert(cells[1] != 5);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
