//: about A variable that is declared before the cases of a `switch` is read by another thread in each of them
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) place;
static volatile int rounds = 2;

static void *owner(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        switch (rounds) {
            int early;
        case 2:
            early = i;
            atomic_store(&place, &early);
            while (atomic_load(&place))
                ;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, owner, NULL);
    for (int i = 0; i < rounds; i++) {
        int *p;
        while (!(p = atomic_load(&place)))
            ;
        assert(*p == i);
        atomic_store(&place, NULL);
    }
    pthread_join(t, NULL);
    return 0;
}
