//: error "more threads than the 4 CPUs of NR_CPUS: this one is thread 4, and `main` is thread 0"
#include <linux/kthread.h>
#include <linux/percpu.h>

static DEFINE_PER_CPU(int, count);

static int run(void *unused)
{
    this_cpu_inc(count);
    return 0;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        kthread_run(run, NULL, "run");
    return 0;
}
