//: about The member that counts the threads changes through a pointer: that is seen
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <assert.h>
struct pool { int n; int *counts; pthread_t threads[2]; };
static struct pool pool;
static int other;
static void *work(void *of)
{
    struct pool *p = of;
    *p->counts = 1;
    return NULL;
}
int main(void)
{
    pool.n = 2;
    pool.counts = &other;
    for (int i = 0; i < 2; i++)
        pthread_create(&pool.threads[i], NULL, work, &pool);
    pool.counts = &pool.n;
    for (int i = 0; i < 2; i++)
        pthread_join(pool.threads[i], NULL);
    assert(pool.n == 2);
    return 0;
}
// race: `pool.n` and `other` (line 12 in two threads)
// race: `pool.counts` (lines 12 and 21)
