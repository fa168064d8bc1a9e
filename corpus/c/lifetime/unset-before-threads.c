//: about A variable in memory has no value in the second iteration of a loop that `main` executes alone
//: check sc violated
//: check tso violated
#include <pthread.h>

static int *known;

static void *thread(void *unused)
{
    *known = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int kept, sum = 0;
    for (int i = 0; i < 2; i++) {
        int local;
        known = &local;
        if (i == 0)
            *known = 1;
        sum += local;
    }
    known = &kept;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return sum;
}
