//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>

static int *f(void)
{
    int x = 1;
    int *p = &x;
    return p;
}

static void *thread(void *unused)
{
    int *p = f();
    *p = 2;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
