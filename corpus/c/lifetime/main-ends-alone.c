//: about `main` ends as a thread with `pthread_exit`, and its variables end with it
//: check sc violated
//: check tso violated
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
    pthread_exit(NULL);
}
