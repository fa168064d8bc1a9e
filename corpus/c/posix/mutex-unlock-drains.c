//: about The release of a POSIX mutex is a locked instruction
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r0, r1;
static pthread_mutex_t lock;

static void *left(void *unused)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    r0 = y;
    return NULL;
}

static void *right(void *unused)
{
    y = 1;
    __sync_synchronize();
    r1 = x;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
