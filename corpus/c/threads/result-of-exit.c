//: about A result that only some executions have
//: check sc violated
//: check tso violated
//: check pso violated

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *exits(void *unused)
{
    if (x)
        pthread_exit((void *)1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, exits, NULL);
    x = 1;
    pthread_join(t, &result);
    assert(result == NULL);
    return 0;
}
