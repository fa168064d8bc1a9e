//: about A condition variable is freed while another thread may still signal it
//: check sc violated
//: check tso violated
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *condition)
{
    pthread_cond_signal(condition);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_cond_t *condition = malloc(sizeof *condition);
    pthread_cond_init(condition, NULL);
    pthread_create(&t, NULL, thread, condition);
    free(condition);
    pthread_join(t, NULL);
    return 0;
}
