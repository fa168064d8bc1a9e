//: about A variable of a function that has returned is read by `main`, which is alone
//: check sc violated
//: check tso violated
#include <pthread.h>

static int *known;
static int sink, other;

static void set(void)
{
    int local = 1;
    known = &local;
}

static void *thread(void *unused)
{
    sink = *known;
    return NULL;
}

int main(void)
{
    pthread_t t;
    set();
    sink = *known;
    known = &other;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
