//: about The first iteration reads a variable that only the iterations before set
//: check sc violated
//: check tso violated
#include <pthread.h>

static volatile int more = 1;
static int sink;

static void *thread(void *unused)
{
    more = 0;
    return NULL;
}

int main(void)
{
    pthread_t a;
    int previous;
    pthread_create(&a, NULL, thread, NULL);
    while (more) {
        sink = previous;
        previous = sink + 1;
    }
    pthread_join(a, NULL);
    return 0;
}
