//: error "a thread that is cancelled (`pthread_cancel`) is not supported"
#include <pthread.h>
static void *thread(void *unused)
{
    for (;;)
        pthread_testcancel();
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
