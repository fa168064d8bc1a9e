//: about Handles in an array, joined in another order, by a pointer and by a function
//: check sc holds
//: check tso holds
//: check pso holds

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

static atomic_int count;

static void *thread(void *unused)
{
    count++;
    return NULL;
}

static void join_all(pthread_t *handles, int n)
{
    for (pthread_t *t = handles; t < handles + n; t++)
        pthread_join(*t, NULL);
}

struct pool {
    pthread_t handles[N];
};

int main(void)
{
    struct pool pool;
    pthread_t more[N];
    for (int i = 0; i < N; i++)
        pthread_create(&pool.handles[i], NULL, thread, NULL);
    for (int i = N - 1; i >= 0; i--)
        pthread_join(pool.handles[i], NULL);
    assert(count == N);
    for (int i = 0; i < N; i++)
        pthread_create(more + i, NULL, thread, NULL);
    join_all(more, N);
    assert(count == 2 * N);
    return 0;
}
