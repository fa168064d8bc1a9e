//: error "`synchronize_rcu` is not supported: it waits for RCU readers"
#include <linux/rcupdate.h>
#include <pthread.h>

static void *thread(void *unused)
{
    synchronize_rcu();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
