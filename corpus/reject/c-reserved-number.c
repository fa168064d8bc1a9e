//: error "the number -1656792537 is not supported"
#include <pthread.h>

static unsigned x;

static void *thread(void *unused)
{
    x = 0x9d3f5a27;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
