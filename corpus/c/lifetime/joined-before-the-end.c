//: about A thread gets the address of a variable of a function that joins it before it returns
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>

static void *adder(void *number)
{
    *(int *)number += 1;
    return NULL;
}

static void run(int from)
{
    pthread_t t;
    int number = from;
    pthread_create(&t, NULL, adder, &number);
    pthread_join(t, NULL);
    assert(number == from + 1);
}

int main(void)
{
    run(1);
    run(2);
    return 0;
}
