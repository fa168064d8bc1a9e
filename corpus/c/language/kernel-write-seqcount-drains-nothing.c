//: about Writers of a sequence count execute no locked instruction: its barriers order stores
//: check sc holds
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <linux/seqlock.h>

static volatile int x, y;
static int a, b;
static seqcount_t count = SEQCNT_ZERO(count);

static void *first(void *unused)
{
    x = 1;
    write_seqcount_begin(&count); write_seqcount_end(&count);
    a = y;
    return NULL;
}

static void *second(void *unused)
{
    y = 1;
    __sync_synchronize();
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a == 1 || b == 1);
    return 0;
}
