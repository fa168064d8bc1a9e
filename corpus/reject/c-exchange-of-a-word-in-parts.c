//: about An exchange whose result is not used may be a plain store: on a word in parts that is not followed
//: error "not supported on a word in parts"
#include <pthread.h>
#include <stdatomic.h>

union word {
    atomic_uint whole;
    unsigned char byte[4];
};

static union word word;

static void *run(void *unused)
{
    unsigned old = atomic_exchange_explicit(&word.whole, 1, memory_order_relaxed);
    word.byte[1] = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    return 0;
}
