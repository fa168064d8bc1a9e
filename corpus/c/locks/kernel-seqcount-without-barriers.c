//: about A sequence count whose writer has no store barriers: data reach memory before the count under PSO
//: check sc holds
//: check tso holds
//: check pso violated
#include <linux/bug.h>
#include <linux/seqlock.h>
#include <pthread.h>

static seqcount_t count = SEQCNT_ZERO(count);
static int x, y;

static void *writer(void *unused)
{
    WRITE_ONCE(count.sequence, 1);
    WRITE_ONCE(x, 1);
    WRITE_ONCE(y, 1);
    WRITE_ONCE(count.sequence, 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned seen;
    int a, b;
    pthread_create(&t, NULL, writer, NULL);
    do {
        seen = read_seqcount_begin(&count);
        a = READ_ONCE(x);
        b = READ_ONCE(y);
    } while (read_seqcount_retry(&count, seen));
    BUG_ON(a != b);
    pthread_join(t, NULL);
    return 0;
}
