//: about Two threads pass a barrier for two, twice
//: check sc holds
//: check tso holds
//: check pso holds
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
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, thread, NULL);
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    return 0;
}
