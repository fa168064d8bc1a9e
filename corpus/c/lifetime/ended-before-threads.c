//: about A variable of a function that `main` called alone is read by a thread later
//: check sc violated
//: check tso violated
#include <pthread.h>

static int *volatile known;
static int sink;

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
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
