//: about A lock word of 32 bits whose bytes are stored to through a pointer to bytes
//: check sc holds
//: check tso holds
//: check pso holds
#include <stdint.h>
#include <pthread.h>
#include <assert.h>
static uint32_t word;
static int data;
static void *run(void *arg) {
    uint32_t zero;
    do {
        zero = 0;
    } while (!__atomic_compare_exchange_n(&word, &zero, 0x101, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    data++;
    __atomic_store_n((uint8_t *)&word + 1, 0, __ATOMIC_RELEASE);
    __atomic_store_n((uint8_t *)&word, 0, __ATOMIC_RELEASE);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2 && word == 0);
    return 0;
}
