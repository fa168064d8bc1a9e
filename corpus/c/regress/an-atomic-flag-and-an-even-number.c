//: check sc holds
//: check tso holds
// The operand of `&=` is not made a truth value first: 1 & 2 is 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic _Bool flag;

void *routine(void *unused) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, routine, 0);
    pthread_join(id, 0);
    flag &= 2;
    assert(!flag);
    return 0;
}
