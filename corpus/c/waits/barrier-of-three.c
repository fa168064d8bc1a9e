//: about Two threads wait at a barrier for three
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>

static pthread_barrier_t b;

static void *thread(void *unused)
{
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&t, NULL, thread, NULL);
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    return 0;
}
