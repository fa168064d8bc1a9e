//: about A thread runs an empty loop after `main` has ended alone
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>

static void *thread(void *unused)
{
    for (;;)
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_exit(NULL);
}
