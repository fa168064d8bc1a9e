//: error "only plain mutexes are supported, no recursive ones"
#include <pthread.h>
static pthread_mutex_t mutex;
int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    return 0;
}
