//: about A condition variable in allocated memory is initialised
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_cond_t *volatile condition;

static void *thread(void *unused)
{
    condition = malloc(sizeof(pthread_cond_t));
    pthread_cond_init(condition, NULL);
    pthread_cond_signal(condition);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
