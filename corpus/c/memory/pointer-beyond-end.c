//: about The address after the end may be computed, the one after that may not, even if nothing is read
//: check sc violated
//: check tso violated
#include <pthread.h>

static int a[3];
static int *volatile start;
static int *volatile end;

static void *thread(void *unused)
{
    start = a + 3;
    end = start + 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
