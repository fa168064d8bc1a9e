//: about A wait with a time ends by itself
//: check sc holds
//: check tso holds
//: check pso holds
// fencepost: forbid stuck
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec until = { 0 };
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &until);
    pthread_mutex_unlock(&m);
    return 0;
}
