//: about A thread gets the address of a variable of a function that may return before the thread reads it
//: check sc violated
//: check tso violated
//: check pso violated
#include <pthread.h>

static int sink;

static void *reader(void *number)
{
    sink = *(int *)number;
    return NULL;
}

static pthread_t start(void)
{
    pthread_t t;
    int number = 1;
    pthread_create(&t, NULL, reader, &number);
    return t;
}

int main(void)
{
    pthread_join(start(), NULL);
    return 0;
}
