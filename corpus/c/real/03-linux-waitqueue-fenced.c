//: about Linux waitqueue_active: the waker looks for sleepers before its condition is visible, the sleeper looks at the condition before it is on the queue; fenced at W and S
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

static int cond;
static int waitqueue;           /* a task is on the wait queue */
static int woken, asleep;

static void *waker(void *unused)
{
    WRITE_ONCE(cond, 1);
    smp_mb();
    if (READ_ONCE(waitqueue))
        woken = 1;
    return NULL;
}

static void *sleeper(void *unused)
{
    WRITE_ONCE(waitqueue, 1);
    smp_mb();
    if (!READ_ONCE(cond))
        asleep = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waker, NULL);
    pthread_create(&b, NULL, sleeper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!asleep || woken);
    return 0;
}
