//: about A bit of a word after the map is accessed
//: check sc violated
//: check tso violated
#include <pthread.h>

static unsigned map[2];
static int number = 64;

static void *thread(void *unused)
{
    asm volatile("lock; btsl %1,%0" : "+m"(*map) : "r"(number) : "memory");
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
