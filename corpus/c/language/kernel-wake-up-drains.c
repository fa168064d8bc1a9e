//: about Waking a queue takes its lock, by a locked instruction, whether a thread waits or not
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <linux/wait.h>

static volatile int x, y;
static int a, b;
static DECLARE_WAIT_QUEUE_HEAD(queue);

static void *first(void *unused)
{
    x = 1;
    wake_up(&queue);
    a = y;
    return NULL;
}

static void *second(void *unused)
{
    y = 1;
    __sync_synchronize();
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a == 1 || b == 1);
    return 0;
}
