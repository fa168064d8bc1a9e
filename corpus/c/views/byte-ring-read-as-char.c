//: about A ring of unsigned bytes, read as `signed char` at an index that is known at run time only: the bits are the same, the value is negative
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static unsigned char ring[4];
static atomic_uint head;

static void *producer(void *unused)
{
    for (unsigned i = 0; i < 2; i++) {
        ring[i] = (unsigned char)(254 + i);
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    const signed char *bytes = (const signed char *)ring;
    unsigned end = atomic_load_explicit(&head, memory_order_acquire);
    for (unsigned i = 0; i < end; i++)
        assert(bytes[i] == (signed char)(i - 2));
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
