//: about A pointer to a local variable changes in a loop
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
int g;
void *t(void *u) { g = 1; g = 0; return 0; }
int main(void) {
    pthread_t a;
    int x = 1, y = 2;
    pthread_create(&a, 0, t, 0);
    int *p = &x;
    while (g) { p = &y; }
    assert(*p == 1 || *p == 2);
    pthread_join(a, 0);
    int *q = &x;
    if (g) q = &y;
    assert(*q == 1);
}

// race: `g` (lines 8 and 14)
