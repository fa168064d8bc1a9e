//: about Taking any lock is a locked instruction, so the store before it is visible
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int r0, r1;
static pthread_spinlock_t lock;

static void *left(void *unused)
{
    x = 1;
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
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
