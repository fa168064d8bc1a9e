//: about Linux blk-mq SCHED_RESTART: a request is on the dispatch list and neither side runs the queue
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

static DEFINE_SPINLOCK(lock);
static int dispatch;            /* a request is on the dispatch list */
static atomic_t restart = ATOMIC_INIT(1);
static int ran[2];

static void *dispatcher(void *unused)
{
    spin_lock(&lock);
    WRITE_ONCE(dispatch, 1);
    spin_unlock(&lock);
    if (!atomic_read(&restart))
        ran[0] = 1;
    return NULL;
}

static void *completion(void *unused)
{
    (void)atomic_xchg(&restart, 0);
    if (READ_ONCE(dispatch))
        ran[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, dispatcher, NULL);
    pthread_create(&b, NULL, completion, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ran[0] || ran[1]);
    return 0;
}
