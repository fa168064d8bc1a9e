//: about The quotient does not fit: the processor raises an exception, as for a division by 0
//: check sc violated
//: check tso violated
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int by = 1;

static void *negate(void *unused)
{
    atomic_store(&by, -1);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, negate, 0);
    int quotient = INT_MIN / atomic_load(&by);
    pthread_join(a, 0);
    return quotient;
}
