//: about A lock is taken before a loop and released in it: the second iteration does not hold it
//: check sc violated
//: check tso violated
#include <pthread.h>

static pthread_mutex_t mutex;
static volatile int rounds = 2;

static void *thread(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < rounds; i++)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
