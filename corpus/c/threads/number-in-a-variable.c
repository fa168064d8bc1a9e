//: about The number of threads is in a variable that nothing changes after they begin
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int workers = 2;
static const int rounds = 2;
static atomic_int sum;

static void *work(void *unused)
{
    for (int i = 0; i < rounds; i++)
        atomic_fetch_add(&sum, 1);
    return NULL;
}

int main(void)
{
    pthread_t all[4];
    workers++;
    for (int i = 0; i < workers; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(all[i], NULL);
    assert(sum == workers * rounds);
    return 0;
}
