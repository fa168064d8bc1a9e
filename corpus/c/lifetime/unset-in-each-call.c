//: about A variable in memory has no value when its function is called again
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>

static int *volatile known;
static volatile int rounds = 2;
static int sink;

static void round(int number)
{
    int local;
    known = &local;
    if (number == 0)
        *known = 1;
    sink = local;
}

static void *thread(void *unused)
{
    for (int i = 0; i < rounds; i++)
        round(i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
