//: about `this_cpu_inc` is not atomic for another CPU: its store may overwrite what that one stores in between
//: check sc violated
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/percpu.h>
#include <pthread.h>

static DEFINE_PER_CPU(int, events);

static void *own(void *unused)
{
    this_cpu_inc(events);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, own, NULL);
    WRITE_ONCE(per_cpu(events, 1), READ_ONCE(per_cpu(events, 1)) + 1);
    pthread_join(t, NULL);
    BUG_ON(per_cpu(events, 1) != 2);
    return 0;
}
