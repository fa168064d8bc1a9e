//: error "`whole` and `half` of a union share memory, which consists of other scalars in each"
#include <pthread.h>

union u { void *whole; short half; };

static union u word;

static void *thread(void *unused)
{
    word.whole = NULL;
    word.half = 2;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
