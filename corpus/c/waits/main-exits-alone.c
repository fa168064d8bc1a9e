//: about `main` ends by `pthread_exit`: the process goes on, with a thread that waits
//: check sc violated
//: check tso violated
//: check pso violated
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
    pthread_exit(NULL);
}
