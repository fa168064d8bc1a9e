//: about the same without registering: the call fails, and is no barrier
//: check sc holds
//: check tso violated
#define _GNU_SOURCE
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int reading, wanted;
static int inside;

static void *reader(void *unused)
{
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&wanted, memory_order_acquire)) {
        int seen = inside;
        assert(seen == 0);
    }
    atomic_store_explicit(&reading, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    atomic_store_explicit(&wanted, 1, memory_order_relaxed);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    if (!atomic_load_explicit(&reading, memory_order_acquire))
        inside = 1;
    pthread_join(a, NULL);
    return 0;
}
