//: check sc holds
//: check tso holds
// A comparison with a constant keeps the conversion of its other operand: -1 is less than 7.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned x = 4294967295u;

void *routine(void *unused) {
    x = 4294967200u;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, routine, 0);
    assert((int)x < 7);
    assert((long)x > 7);
    pthread_join(thread, 0);
    return 0;
}
