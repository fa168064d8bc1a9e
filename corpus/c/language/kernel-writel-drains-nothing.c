//: about `writel` is a store on x86, which no later load waits for
//: check sc holds
//: check tso violated
//: check pso violated
#include <linux/bug.h>
#include <linux/io.h>
#include <pthread.h>

static u32 doorbell, status;
static int idle[2];

static void *driver(void *unused)
{
    writel(1, &doorbell);
    idle[0] = !readl(&status);
    return NULL;
}

static void *device(void *unused)
{
    writel(1, &status);
    idle[1] = !readl(&doorbell);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, driver, NULL);
    pthread_create(&b, NULL, device, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    BUG_ON(idle[0] && idle[1]);
    return 0;
}
