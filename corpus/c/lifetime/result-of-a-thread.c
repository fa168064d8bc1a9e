//: about A thread's result is the address of its own variable, which ends with it
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>

static void *thread(void *unused)
{
    int local = 1;
    return &local;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, &result);
    assert(*(int *)result == 1);
    return 0;
}
