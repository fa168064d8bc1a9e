//: about A release and an acquire order the plain accesses of the data
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *sender(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    assert(data == 1);
    data = 2;
    pthread_join(t, NULL);
    assert(data == 2);
    return 0;
}
