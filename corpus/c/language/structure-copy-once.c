//: about A chained assignment reads its source once
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
struct s { int a, b; };
struct s g;
void *t(void *u) { struct s l = {1, 2}; g = l; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    struct s x, y;
    y = x = g;
    assert(!(x.a == 0 && y.a == 1));
    pthread_join(a, 0);
}

// race: `g.a` and `g.b` (lines 9 and 14)
