//: about Seqlock, or non-blocking write: a reader takes half-written data for good
//: check sc holds
//: check tso holds
//: check pso violated
//: robust tso yes
//: robust pso no
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

static struct {
    unsigned seq;
    int data;
} lock;

static void *writer(void *unused)
{
    WRITE_ONCE(lock.seq, 1);
    WRITE_ONCE(lock.data, 9);
    WRITE_ONCE(lock.seq, 2);
    return NULL;
}

static void *reader(void *unused)
{
    unsigned before = READ_ONCE(lock.seq);
    int value;
    if (before & 1)
        return NULL;
    smp_rmb();
    value = READ_ONCE(lock.data);
    smp_rmb();
    if (READ_ONCE(lock.seq) != before)
        return NULL;
    switch (before) {
    case 0:
        assert(value == 0);
        break;
    case 2:
        assert(value == 9);
        break;
    default:
        assert(0);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
