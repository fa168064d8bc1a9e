//: about Words of BSD: no lock of two threads, and arithmetic of sizes
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/cdefs.h>
#include <sys/param.h>

__BEGIN_DECLS
void *count(void *);
__END_DECLS

static atomic_int taken;
static int counter;

void *count(void *unused __unused)
{
    int free = 0;
    counter++;
    atomic_store(&taken, 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (size_t i = 0; i < nitems(threads); i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (size_t i = 0; i < nitems(threads); i++)
        pthread_join(threads[i], NULL);
    assert(counter == MAX(1, 2) && MIN(1, 2) == 1);
    assert(howmany(9, 4) == 3 && roundup(9, 4) == 12 && rounddown(9, 4) == 8 && powerof2(8) && !powerof2(6));
    return 0;
}

// race: `counter` (line 20 in two threads)
