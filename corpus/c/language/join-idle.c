//: about A thread that does nothing ends, and its creator goes on after the join
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static int x;

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, NULL, idle, NULL);
    pthread_join(t, NULL);
    assert(x == 0);
    return 0;
}
