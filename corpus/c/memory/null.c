//: about A pointer that may still be null is followed
//: check sc violated
//: check tso violated
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
    *p = 1;
    pthread_join(t, NULL);
    return 0;
}
