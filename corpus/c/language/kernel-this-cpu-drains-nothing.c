//: about `this_cpu_inc` is one instruction without a lock: it drains no store buffer
//: check sc holds
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/percpu.h>
#include <pthread.h>

static DEFINE_PER_CPU(int, readers);
static int writer, entered[2];

/* The fast path of a reader-writer lock per CPU, without its barrier. */
static void *reader(void *unused)
{
    this_cpu_inc(readers);
    entered[0] = !READ_ONCE(writer);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int cpu, sum = 0;
    pthread_create(&t, NULL, reader, NULL);
    WRITE_ONCE(writer, 1);
    smp_mb();
    for_each_possible_cpu(cpu)
        sum += READ_ONCE(per_cpu(readers, cpu));
    entered[1] = !sum;
    pthread_join(t, NULL);
    BUG_ON(entered[0] && entered[1]);
    return 0;
}
