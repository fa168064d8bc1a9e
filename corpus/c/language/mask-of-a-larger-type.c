//: about A mask of a larger type on an object of a smaller one, assigned: what is stored has the smaller one
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static uint32_t flags = 0xf5;
static _Atomic uint32_t shared = 0x1ff;

static void *run(void *unused)
{
    shared &= 0xfffffff0UL;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    flags &= 0xffffffffUL;
    assert(flags == 0xf5 && (flags &= 0x70UL) == 0x70 && (flags &= -16L) == 0x70);
    shared &= 0xffUL;
    pthread_join(thread, 0);
    assert(shared == 0xf0);
    return 0;
}
