//: about Disabling preemption and interrupts stops the compiler only
//: check sc holds
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>

static volatile int x, y;
static int a, b;


static void *first(void *unused)
{
    x = 1;
    preempt_disable(); local_irq_disable(); local_irq_enable(); preempt_enable();
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
