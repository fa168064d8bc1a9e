//: error "the number of iterations of this loop is not known"
#include <pthread.h>

static void *thread(void *unused)
{
    return NULL;
}

static volatile int more;

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    while (more)
        pthread_create(&a, NULL, thread, NULL);
    return 0;
}
