//: error "it is not known in which order this handler is called"
#include <pthread.h>
#include <stdlib.h>
static void end(void) { }
static void *thread(void *unused)
{
    atexit(end);
    return 0;
}
int main(void)
{
    pthread_t t;
    atexit(end);
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
