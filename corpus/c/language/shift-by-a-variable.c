//: about Shifts by as many bits as the type has at most, less one
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static volatile int most = 31;
static volatile unsigned char small = 1;

static void *thread(void *unused)
{
    unsigned by = most;
    assert((1u << by) >> most == 1);
    assert((small << (most & 15)) == 0x8000);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
