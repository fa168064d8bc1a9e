//: about A failed compare-exchange writes the value that it found to the variable of the expected one, which may be in memory
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 5;
static int expected = 4;

static void *thread(void *unused)
{
    int local = 3;
    assert(!atomic_compare_exchange_strong(&x, &expected, 1) && expected == 5);
    assert(!atomic_compare_exchange_strong(&x, &local, 1) && local == 5);
    assert(atomic_compare_exchange_strong(&x, &local, 6) && local == 5);
    assert(atomic_load(&x) == 6);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
