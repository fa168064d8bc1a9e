//: about A value that another thread stores is one bit too many to shift by
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits = 31, mask;

static void *thread(void *unused)
{
    atomic_fetch_add(&bits, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    mask |= 1u << bits;
    pthread_join(t, NULL);
    return 0;
}
