//: check sc holds
//: check tso holds
// The value of an assignment of structures is what was stored; it is not computed again.
#include <assert.h>

struct pair { int a, b; };
struct pair x, y;
int calls;

struct pair make(void) {
    calls++;
    return (struct pair){calls, 5};
}

int main(void) {
    struct pair local;
    x = y = local = make();
    assert(calls == 1 && x.a == 1 && y.b == 5 && local.a == 1);
    x = calls ? (struct pair){8, 9} : y;
    assert(x.a == 8 && x.b == 9);
    return 0;
}
