//: check sc holds
//: check tso holds
// Which local the pointer leads to depends on what is read, so both are in memory.
#include <assert.h>
#include <pthread.h>

int input, other;

void *routine(void *unused) {
    input = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    int a = 2, b = 3, *p;
    pthread_create(&id, 0, routine, 0);
    pthread_join(id, 0);
    if (input)
        p = &a;
    else
        p = &b;
    *p = 7;
    assert(a == 7 && b == 3);
    return 0;
}
