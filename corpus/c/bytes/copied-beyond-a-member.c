//: about A name of a message is as long as its sender says, and there is less room for it
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <string.h>

struct peer { int number; char name[4]; int seen; };
static struct peer peers[2];
static char message[16] = "someone";
static volatile int length, from;

static void *receive(void *unused)
{
    struct peer *peer = &peers[from & 1];
    memcpy(peer->name, message, length);
    return unused;
}

int main(void)
{
    pthread_t thread;
    from = 1;
    length = 8;
    pthread_create(&thread, NULL, receive, NULL);
    pthread_join(thread, NULL);
    return 0;
}
