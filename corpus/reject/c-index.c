//: error "index 2 is outside an array of 2 elements"
#include <pthread.h>

static int x[2];

static void *thread(void *unused)
{
    x[2] = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
