//: error "this depends on the value of a floating-point number, which is not modelled"
#include <pthread.h>

static float x;

static void *thread(void *unused)
{
    x = 1;
    if (x > 0.5f)
        x = 2;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
