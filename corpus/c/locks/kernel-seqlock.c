//: about A sequence lock of Linux: a reader never sees half of what a writer stores
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/seqlock.h>
#include <pthread.h>

static DEFINE_SEQLOCK(lock);
static int x, y;

static void *writer(void *unused)
{
    write_seqlock(&lock);
    WRITE_ONCE(x, 1);
    WRITE_ONCE(y, 1);
    write_sequnlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned seen;
    int a, b;
    pthread_create(&t, NULL, writer, NULL);
    do {
        seen = read_seqbegin(&lock);
        a = READ_ONCE(x);
        b = READ_ONCE(y);
    } while (read_seqretry(&lock, seen));
    BUG_ON(a != b);
    pthread_join(t, NULL);
    return 0;
}
