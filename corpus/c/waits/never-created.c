//: about `main` ends by `pthread_exit`; a thread that was not created does not wait
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *second(void *unused)
{
    atomic_store(&flag, 0);
    return NULL;
}

static void *first(void *unused)
{
    atomic_store(&flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    if (atomic_load(&flag))
        pthread_create(&b, NULL, second, NULL);
    pthread_exit(NULL);
}
