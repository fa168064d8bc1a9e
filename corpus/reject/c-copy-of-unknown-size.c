//: error "the number of bytes is not known"
#include <pthread.h>
#include <string.h>

static char buffer[8], message[8];
static volatile int length;

static void *thread(void *unused)
{
    memcpy(buffer, message, length);
    return NULL;
}

int main(void)
{
    pthread_t a;
    length = 2;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
