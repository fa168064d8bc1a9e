//: about An instruction that is not known is named
//: error "unknown inline assembly `bswap %0`"
#include <pthread.h>

static int x;

static void *thread(void *unused)
{
    int n = 1;
    asm volatile("bswap %0" : "+r"(n));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
