//: error "unions are not supported"
#include <pthread.h>

union u { int a; char b; };

static union u word;

static void *thread(void *unused)
{
    word.a = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
