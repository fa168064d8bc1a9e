//: about A number of bytes that is known at run time only: as many elements are copied
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[8], message[8] = "abc";
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
    assert(buffer[0] == 'a' && buffer[1] == 'b' && !buffer[2]);
    return 0;
}
