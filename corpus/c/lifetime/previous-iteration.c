//: about A pointer to the variable of the previous iteration is followed
//: check sc violated
//: check tso violated
#include <pthread.h>

static int *volatile known;
static volatile int rounds = 2;
static int sink;

static void *thread(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        if (known)
            sink = *known;
        int local = i;
        known = &local;
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
