//: about A pointer walks to the end of an array, where nothing is read
//: check sc holds
//: check tso holds
//: check pso holds
#include <pthread.h>

static int a[3] = {1, 2, 3};
static int after = 4;
static int *volatile start;
static int sum;

static void *thread(void *unused)
{
    start = a;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    int *p = start;
    for (int *end = p + 3; p < end; p++)
        sum += *p;
    return sum + after;
}
