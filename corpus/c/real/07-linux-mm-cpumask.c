//: about Linux mm_cpumask (CVE-2016-2069): one processor keeps an old page-table entry, the other sees nobody to send a flush to
//: check sc holds
//: check tso violated
//: check pso violated
//: robust tso no
//: robust pso no
#include <assert.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <pthread.h>

static unsigned long cpumask;   /* processors that use this address space */
static int pte;                 /* 0: the old entry, 1: the new one */

static void *switcher(void *unused)
{
    set_bit(0, &cpumask);
    return (void *)(long)READ_ONCE(pte);
}

static void *unmapper(void *unused)
{
    WRITE_ONCE(pte, 1);
    return (void *)test_bit(0, &cpumask);
}

int main(void)
{
    pthread_t a, b;
    void *entry, *flush;
    pthread_create(&a, NULL, switcher, NULL);
    pthread_create(&b, NULL, unmapper, NULL);
    pthread_join(a, &entry);
    pthread_join(b, &flush);
    assert(entry || flush);
    return 0;
}
