//: error "the number of iterations of this loop is not known"
#include <stdlib.h>
#include <pthread.h>

static int *volatile list;
static volatile int more;

static void *thread(void *unused)
{
    while (more)
        list = malloc(sizeof(int));
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
