//: about A function ends without a value on one path, and the value is used
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int now;

static int sign(int number)
{
    if (number == 0)
        return 0;
}

static void *thread(void *unused)
{
    /* Not used: nothing is wrong. */
    sign(1);
    assert(sign(atomic_load(&now)) <= 0);
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
