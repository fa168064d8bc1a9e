//: about A condition variable of a function is signalled without having been initialised
//: check sc violated
//: check tso violated
#include <pthread.h>

static void *thread(void *condition)
{
    pthread_cond_signal(condition);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_t condition;
    pthread_create(&t, NULL, thread, &condition);
    pthread_join(t, NULL);
    return 0;
}
