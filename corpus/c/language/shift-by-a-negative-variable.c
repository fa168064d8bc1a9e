//: about A number of bits to shift by is -1 at run time
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int bits = -1;

static void *thread(void *unused)
{
    assert(8 >> bits >= 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
