//: about `main` joins a thread that waits for a flag that nobody sets
//: check sc violated
//: check tso violated
//: check pso violated
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *thread(void *unused)
{
    while (!atomic_load(&flag))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
