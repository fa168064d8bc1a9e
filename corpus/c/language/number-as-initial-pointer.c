//: about A number that is the initial value of a pointer is no address of an object
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static int x, y, z;
static void *first = (void *)1, *second = (void *)2, *third = (void *)3;
static void *const table[2] = { (void *)4, NULL };

static void *thread(void *unused)
{
    assert(first != &x && first != &y && first != &z);
    assert(second != &x && second != &y && second != &z);
    assert(third != &x && third != &y && third != &z && third == (void *)3);
    assert((long)third == 3 && (long)table[0] == 4 && !table[1]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return x + y + z;
}
