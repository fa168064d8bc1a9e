//: error "the end of a thread between `pthread_cleanup_push` and `pthread_cleanup_pop` is not supported"
#include <pthread.h>
static void handler(void *unused) { }
static void *thread(void *unused)
{
    pthread_cleanup_push(handler, NULL);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
