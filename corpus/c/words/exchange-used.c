//: about An exchange of a word in parts whose result is used is a locked instruction, however weak its order is
//: check sc holds
//: check tso holds
//: robust tso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union word {
    _Atomic uint32_t whole;
    uint8_t byte[4];
};

static union word word;
static atomic_int other;
static int first, second;

static void *writer(void *unused)
{
    assert(atomic_exchange_explicit(&word.whole, 1, memory_order_relaxed) == 0);
    first = atomic_load_explicit(&other, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    atomic_store(&other, 1);
    second = word.byte[0];
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 1 || second == 1);
    return 0;
}
// race: `word.byte0` (lines 21 and 29)
