//: about Variables of each processor with members: each thread counts in its own, and the sum is right at the end
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/percpu.h>

struct traffic {
	int packets;
	int bytes;
};

static DEFINE_PER_CPU(struct traffic, traffic) = { .packets = 1, .bytes = 10 };
static DEFINE_PER_CPU(int, calls) = 2;

static int receive(void *unused)
{
	struct traffic *own;

	this_cpu_inc(traffic.packets);
	this_cpu_add(traffic.bytes, 5);
	this_cpu_inc(calls);
	own = get_cpu_ptr(&traffic);
	BUG_ON(own->packets != 2 || this_cpu_read(traffic.bytes) != 15);
	put_cpu_ptr(&traffic);
	return 0;
}

int main(void)
{
	struct task_struct *one = kthread_run(receive, NULL, "one");
	struct task_struct *other = kthread_run(receive, NULL, "other");
	int cpu, packets = 0, all = 0;

	kthread_stop(one);
	kthread_stop(other);
	for_each_possible_cpu(cpu) {
		packets += per_cpu(traffic, cpu).packets;
		all += per_cpu(calls, cpu);
	}
	/* A thread that is stopped before it begins does nothing. */
	BUG_ON(packets < NR_CPUS || packets > NR_CPUS + 2);
	BUG_ON(all - 2 * NR_CPUS != packets - NR_CPUS);
	return 0;
}
