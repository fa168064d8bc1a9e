//: about `main` releases a lock that is free, before there are threads
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_unlock(&mutex);
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
