//: error "memory is allocated in a loop whose number of iterations is not known"
#include <pthread.h>
#include <stdlib.h>

static int *volatile list;
static volatile int more;

static void *thread(void *unused)
{
again:
    list = malloc(sizeof(int));
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
