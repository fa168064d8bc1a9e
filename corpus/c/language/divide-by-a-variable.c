//: about A ring whose size is a variable: quotients and remainders of values that are not known
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint head;
static atomic_int size = 2;
static unsigned slots[2];

static void *put(void *unused)
{
    unsigned at = atomic_fetch_add(&head, 1);
    unsigned count = (unsigned)atomic_load(&size);
    slots[at % count] = at / count + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(slots[0] == 1 && slots[1] == 1);
    /* Quotients are rounded towards 0. */
    int by = atomic_load(&size);
    assert(-7 / by == -3 && -7 % by == -1);
}
