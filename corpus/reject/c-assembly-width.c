//: about An exchange of 64 bits with an integer of 32
//: error "accesses 64 bits, and its register has 32"
#include <pthread.h>

static int x;

static void *thread(void *unused)
{
    int n = 1;
    asm volatile("xchgq %0,%1" : "+r"(n), "+m"(x));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
