//: about An output is written before an input is read that may be in its register
//: error "may be in the same register"
#include <pthread.h>

static int x;

static void *thread(void *unused)
{
    int n = 1;
    asm volatile("movl $0,%0; addl %1,%0" : "=r"(n) : "r"(x));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
