//: about A message says how long it is, and nobody has looked whether there is room for it
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <string.h>

static char buffer[4], message[8];
static int length;

static void *receive(void *unused)
{
    __atomic_store_n(&length, 6, __ATOMIC_RELEASE);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    memcpy(buffer, message, __atomic_load_n(&length, __ATOMIC_ACQUIRE));
    pthread_join(thread, NULL);
    return 0;
}
