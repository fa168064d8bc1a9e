//: about A lock is released through a pointer that may lead to it, and then by its name
//: check sc violated
//: check tso violated
#include <pthread.h>

static pthread_mutex_t first, second;
static pthread_mutex_t *volatile which = &first;

static void *thread(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(which);
    pthread_mutex_unlock(&first);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
