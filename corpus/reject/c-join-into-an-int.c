//: about A result of 8 bytes is received in an object of 4
//: error "an object of 32 bits is accessed as one of 64 bits"
#include <pthread.h>

static void *thread(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, (void *)&result);
    return result;
}
