//: about A variable of a `switch`, declared before its cases or in an earlier one, lives in all of them
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile known;
static volatile int rounds = 3;

static void use(int value)
{
    *known = value;
}

static void *thread(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        switch (i) {
            int early;
        case 0:
            known = &early;
            use(1);
            assert(early == 1);
            break;
            int late;
        case 1:
            known = &late;
            use(2);
            assert(late == 2);
            break;
        default:
            known = &early;
            use(3);
            assert(early == 3);
        }
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
