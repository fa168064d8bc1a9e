//: error "`float` is not supported: there is no floating point"
#include <pthread.h>

static float x;

static void *thread(void *unused)
{
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
