//: about A pause and a full fence written as bytes, for assemblers that do not know them
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int x, y;
static int r0, r1;

#define pause() __asm__ volatile(".byte 0xf3, 0x90")
#define fence() __asm__ volatile(".byte 0x0f,0xae,0xf0" ::: "memory")

static void *left(void *unused)
{
    x = 1;
    fence();
    r0 = y;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    fence();
    r1 = x;
    pause();
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&other, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(r0 == 1 || r1 == 1);
    return 0;
}
