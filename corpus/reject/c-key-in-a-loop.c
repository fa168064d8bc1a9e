//: error "a key is created in a loop whose number of iterations is not known"
#include <pthread.h>
static pthread_key_t key;
static int more;
static void end(void *value) { }
static void *thread(void *unused)
{
    while (more)
        pthread_key_create(&key, end);
    pthread_setspecific(key, &more);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    more = 1;
    pthread_join(t, 0);
    return 0;
}
