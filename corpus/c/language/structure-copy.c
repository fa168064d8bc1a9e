//: about A structure is copied once and member by member: not atomic
//: check sc violated
//: check tso violated
//: check pso violated
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
    assert(x.b == 0 || x.a == 1);
    pthread_join(a, 0);
}

// race: `g.a` and `g.b` (lines 9 and 14)
