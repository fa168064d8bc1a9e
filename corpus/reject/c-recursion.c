//: error "the recursion of `f` is not bounded by constants"
#include <pthread.h>

static volatile int x;

static void f(void)
{
    if (x)
        f();
}

static void *thread(void *unused)
{
    f();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
