//: about The process ends when `main` returns, and with it a thread that waits
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, done;

static void *thread(void *unused)
{
    atomic_store(&done, 1);
    while (!atomic_load(&flag))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    while (!atomic_load(&done))
        ;
    return 0;
}
