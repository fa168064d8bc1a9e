//: error "unknown name `__fencepost_recursive_mutexes_are_not_supported`"
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *thread(void *unused)
{
    pthread_mutex_lock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
