//: about A barrier has no initial value without `pthread_barrier_init`, in static storage neither
//: check sc violated
//: check tso violated
#include <pthread.h>

static pthread_barrier_t both;

static void *thread(void *unused)
{
    pthread_barrier_wait(&both);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_barrier_wait(&both);
    pthread_join(t, NULL);
    return 0;
}
