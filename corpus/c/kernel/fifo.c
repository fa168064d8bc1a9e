//: about A queue between one thread that puts and one that gets keeps the order, and publishes what was written before
//: check sc holds
//: check tso holds
//: check pso holds
#include <linux/bug.h>
#include <linux/kfifo.h>
#include <linux/kthread.h>
static DEFINE_KFIFO(fifo, int, 2);
static int data[3];
static int producer(void *u)
{
    for (int i = 0; i < 3; i++) { data[i] = i + 1; while (!kfifo_put(&fifo, i)) ; }
    return 0;
}
int main(void)
{
    int i, n = 0;
    kthread_run(producer, 0, "p");
    while (n < 3)
        if (kfifo_get(&fifo, &i)) { BUG_ON(i != n); BUG_ON(data[i] != i + 1); n++; }
    return 0;
}
