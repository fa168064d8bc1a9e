//: about A divisor that another thread makes 0
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int by = 1;

static void *reset(void *unused)
{
    atomic_store(&by, 0);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, reset, 0);
    int quotient = 6 / atomic_load(&by);
    pthread_join(a, 0);
    return quotient;
}
