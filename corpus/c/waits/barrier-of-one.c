//: about A barrier for one: each thread that comes is the last
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <pthread.h>

static pthread_barrier_t b;

static void *thread(void *unused)
{
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&b, NULL, 1);
    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&u, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
