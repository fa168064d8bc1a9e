//: error "`pthread_mutex_lock` takes 1 argument, and 2 are given"
#include <pthread.h>

static pthread_mutex_t m;

static void *thread(void *unused)
{
    pthread_mutex_lock(&m, 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
