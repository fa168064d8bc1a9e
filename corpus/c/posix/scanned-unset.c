//: about A variable has no value where nothing was scanned
//: check sc violated
//: check tso violated
//: check pso violated
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x;

static void *thread(void *unused)
{
    int a;
    scanf("%d", &a);
    x = a;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
