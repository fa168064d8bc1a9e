//: about The same with the sign forgotten: `char` is signed, so no byte read is 255
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static unsigned char ring[2];
static atomic_int full;

static void *producer(void *unused)
{
    ring[1] = 0xff;
    atomic_store_explicit(&full, 1, memory_order_release);
    return NULL;
}

static void *consumer(void *position)
{
    char *bytes = (void *)ring;
    if (atomic_load_explicit(&full, memory_order_acquire))
        assert(bytes[*(int *)position] == 255);
    return NULL;
}

int main(void)
{
    static int position = 1;
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, &position);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
