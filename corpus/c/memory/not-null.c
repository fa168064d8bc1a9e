//: about A pointer is followed once it is set
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>
#include <stddef.h>

static int x;
static int *volatile p;

static void *thread(void *unused)
{
    p = &x;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    *p = 1;
    return 0;
}
