//: about Four threads pass a barrier for two in pairs: the second pair lets none of the first wait again
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
    pthread_t t, u, v;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&u, NULL, thread, NULL);
    pthread_create(&v, NULL, thread, NULL);
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
    return 0;
}
