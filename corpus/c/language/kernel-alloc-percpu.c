//: about Variables of each CPU that are allocated
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/percpu.h>
#include <pthread.h>

struct counter { long value; };
static struct counter __percpu *counters;

static void *count(void *unused)
{
    this_cpu_ptr(counters)->value += 1 + smp_processor_id();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    long sum = 0;
    int cpu;
    counters = alloc_percpu(struct counter);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for_each_online_cpu(cpu)
        sum += per_cpu_ptr(counters, cpu)->value;
    BUG_ON(sum != 2 + 3);
    free_percpu(counters);
    return 0;
}
