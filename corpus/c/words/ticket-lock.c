//: about A ticket lock in one word: the next ticket is drawn by an addition to both halves, the owner is a half of its own
//: check sc holds
//: check tso holds
//: check pso holds
#include <stdint.h>
#include <pthread.h>
#include <assert.h>
union ticket {
    uint32_t both;
    struct { uint16_t owner, next; } part;
};
static union ticket lock;
static int data;
static void *run(void *arg) {
    uint32_t mine = __atomic_fetch_add(&lock.both, 1u << 16, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&lock.part.owner, __ATOMIC_ACQUIRE) != (uint16_t)(mine >> 16))
        ;
    data++;
    __atomic_store_n(&lock.part.owner, (uint16_t)((mine >> 16) + 1), __ATOMIC_RELEASE);
    return 0;
}
int main(void) {
    pthread_t a, b;
    lock.both = 0xfffeffffu + (1u << 16);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    assert(lock.part.owner == 1 && lock.part.next == 1);
    assert(lock.both == 0x10001);
    return 0;
}
