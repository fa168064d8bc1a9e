//: about Half of an integer is written
//: error "an object of 32 bits is accessed as one of 16 bits"
#include <pthread.h>
#include <stdint.h>

static uint32_t word;

static void *thread(void *unused)
{
    void *untyped = &word;
    uint16_t *half = untyped;
    *half = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
