//: about The expected value of cmpxchg is an input, and is written
//: error "`cmpxchgl %1,%0` writes an operand that is only an input"
#include <pthread.h>

static int x;

static void *thread(void *unused)
{
    int n = 1;
    asm volatile("lock; cmpxchgl %1,%0" : "+m"(x) : "r"(n), "a"(0));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
