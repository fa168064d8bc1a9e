//: about The zeros below the lowest one of 0 are undefined
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>

static volatile unsigned word = 1;

static void *thread(void *unused)
{
    word = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int zeros = __builtin_ctz(word);
    pthread_join(t, NULL);
    return zeros;
}
