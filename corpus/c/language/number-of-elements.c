//: about Any unsigned number is compared with the number of elements of an array
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

uint32_t __VERIFIER_nondet_uint(void);

static int table[4] = { 1, 1, 1, 1 };

static int entry(uint32_t index)
{
    if (index >= ARRAY_SIZE(table))
        return -1;
    return table[index];
}

static void *worker(void *unused)
{
    uint32_t index = __VERIFIER_nondet_uint();
    assert(entry(index) == (ARRAY_SIZE(table) - 1 >= index ? 1 : -1));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(entry(UINT32_MAX) == -1);
    pthread_join(thread, NULL);
    return 0;
}
