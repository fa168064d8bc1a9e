//: error "unknown function `work`"
#include <pthread.h>

void work(void);

static void *thread(void *unused)
{
    work();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
