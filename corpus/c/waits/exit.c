//: about `exit` in one thread ends another that waits, and `main`, which joins it
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *first(void *unused)
{
    while (!atomic_load(&flag))
        ;
    return NULL;
}

static void *second(void *unused)
{
    exit(0);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
