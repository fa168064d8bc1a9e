//: about Each thread counts in the variable of its own CPU, and main adds them up at the end
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/percpu.h>
#include <pthread.h>

struct statistics { unsigned long packets, bytes; };
static DEFINE_PER_CPU(struct statistics, statistics);
static DEFINE_PER_CPU(int, depth);

static void *receive(void *unused)
{
    struct statistics *mine = get_cpu_ptr(&statistics);
    mine->packets++;
    mine->bytes += 64;
    put_cpu_ptr(&statistics);
    this_cpu_inc(depth);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    unsigned long packets = 0;
    int cpu, all = 0;
    pthread_create(&a, NULL, receive, NULL);
    pthread_create(&b, NULL, receive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for_each_possible_cpu(cpu) {
        packets += per_cpu_ptr(&statistics, cpu)->packets;
        all += per_cpu(depth, cpu);
    }
    BUG_ON(packets != 2 || all != 2);
    BUG_ON(this_cpu_read(depth) != 0);
    return 0;
}
