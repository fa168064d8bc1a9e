//: about Threads get structures with pointers, and call functions of a table
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct arg { int id; int *out; atomic_int *turn; };
atomic_int turn;
int out[2];
struct ops { int (*f)(int); };
static int dbl(int x) { return 2 * x; }
static int inc(int x) { return x + 1; }
static const struct ops table[2] = { { dbl }, { .f = inc } };
void *t(void *u) {
    struct arg *a = u;
    while (atomic_load(a->turn) != a->id) ;
    *a->out = table[a->id].f(a->id + 5);
    atomic_fetch_add(a->turn, 1);
    return a->out;
}
int main(void) {
    pthread_t th[2];
    struct arg args[2];
    for (int i = 0; i < 2; i++) {
        args[i].id = i; args[i].out = &out[i]; args[i].turn = &turn;
        if (pthread_create(&th[i], 0, t, &args[i]) != 0) return 1;
    }
    for (int i = 0; i < 2; i++) { void *r; pthread_join(th[i], &r); assert(r == &out[i]); }
    assert(out[0] == 10 && out[1] == 7);
}
