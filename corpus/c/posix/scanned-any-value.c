//: about A number that is scanned may be any one, and not be there
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *thread(void *unused)
{
    int a = 0;
    if (scanf("%d", &a) == 1)
        assert(a != 1234567);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
