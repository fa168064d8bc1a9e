//: about Byte locks that are looked at eight at a time, as one word: each thread sets its own, and looks for others
//: check sc holds
//: check tso violated
//: robust tso no
#include <stdint.h>
#include <pthread.h>
#include <assert.h>
static _Alignas(8) uint8_t flags[8];
static int r[2];
static void *one(void *arg) {
    __atomic_store_n(&flags[0], 1, __ATOMIC_RELAXED);
    r[0] = (*(volatile uint64_t *)flags & ~0xffUL) != 0;
    return 0;
}
static void *two(void *arg) {
    __atomic_store_n(&flags[3], 1, __ATOMIC_RELAXED);
    r[1] = (*(volatile uint64_t *)flags & ~0xff000000UL) != 0;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r[0] || r[1]);
    return 0;
}
