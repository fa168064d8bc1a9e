//: error "a thread is created in a loop whose number of iterations is not known"
#include <pthread.h>

static pthread_t b;
static volatile int more;

static void *other(void *unused)
{
    return NULL;
}

static void *thread(void *unused)
{
again:
    pthread_create(&b, NULL, other, NULL);
    if (more)
        goto again;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
