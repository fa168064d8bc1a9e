//: error "a memory order must be a constant"
#include <stdatomic.h>
#include <pthread.h>

static atomic_int x, order;

static void *thread(void *unused)
{
    atomic_store_explicit(&x, 1, order);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
