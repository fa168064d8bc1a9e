//: about A thread that is detached goes on after the end of its creator
//: check sc violated
//: check tso violated
//: check pso violated

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *unused)
{
    x = 1;
    return NULL;
}

static void *starter(void *unused)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_detach(t);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, starter, NULL);
    pthread_join(t, NULL);
    assert(x == 0);
    return 0;
}
