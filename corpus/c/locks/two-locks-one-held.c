//: about A lock is released while only another one is held
//: check sc violated
//: check tso violated
#include <pthread.h>

static pthread_mutex_t first, second;

static void *thread(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&second);
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
