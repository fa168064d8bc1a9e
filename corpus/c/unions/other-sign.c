//: about A byte that is stored as `unsigned char` and read as `signed char`, in an element that only the execution knows
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

union byte { unsigned char bits; signed char number; };

static union byte all[2];
static volatile int which;

static void *thread(void *unused)
{
    union byte *one = &all[which & 1];
    one->bits = 200;
    assert(one->number == 200 - 256);
    union byte copy = *one;
    assert(copy.number == 200 - 256 && copy.bits == 200);
    return NULL;
}

int main(void)
{
    pthread_t t;
    which = 1;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(all[1].number == 200 - 256);
    return 0;
}
