//: about A variable without a value on one of two paths, which correlate with those that read it or not
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>

static int flag, other;

static void *thread(void *unused)
{
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    int right, wrong;
    pthread_create(&a, NULL, thread, NULL);
    int seen = flag;
    if (seen)
        right = 1;
    if (seen)
        assert(right == 1);
    if (!seen)
        wrong = 1;
    pthread_join(a, NULL);
    other = wrong;
    return 0;
}

// race: `flag` (lines 11 and 20)
