//: about Store buffering between threads whose routines are in a table that nothing changes.
//: check sc holds
//: check tso violated
#include <assert.h>
#include <pthread.h>

static int x, y, seen_by_first, seen_by_second;

static void *first(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    seen_by_first = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    return unused;
}

static void *second(void *unused)
{
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
    seen_by_second = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
    return unused;
}

static const struct { const char *name; void *(*run)(void *); } roles[] = {
    { "first", first },
    { "second", second },
};

int main(void)
{
    pthread_t threads[2];
    for (int role = 0; role < 2; role++)
        pthread_create(&threads[role], NULL, roles[role].run, NULL);
    for (int role = 0; role < 2; role++)
        pthread_join(threads[role], NULL);
    assert(seen_by_first || seen_by_second);
    return 0;
}
