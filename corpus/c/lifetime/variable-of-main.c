//: about Variables of `main` are there as long as the process: no thread reads one that has ended
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static void *reader(void *number)
{
    assert(*(int *)number == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int number = 1;
    pthread_create(&t, NULL, reader, &number);
    return 0;
}
