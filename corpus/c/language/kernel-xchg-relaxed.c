//: about Store buffering: on x86 a relaxed exchange of the kernel is a locked instruction
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

static int x, y;
static int r0, r1;
static atomic_t z;
static DEFINE_SPINLOCK(lock);

static void *left(void *unused)
{
    WRITE_ONCE(x, 1);
    (void)atomic_xchg_relaxed(&z, 1);
    r0 = READ_ONCE(y);
    return NULL;
}

static void *right(void *unused)
{
    smp_store_mb(y, 1);
    r1 = READ_ONCE(x);
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
