//: about Memory of `alloca` is the thread's own, and holds what is stored until the call returns
//: check sc holds
//: check tso holds
//: check pso holds
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int sum(int first, int more)
{
    int *all = alloca(2 * sizeof *all);
    all[0] = first;
    if (!more)
        return all[0];
    int *other = __builtin_alloca(sizeof *other);
    *other = 2;
    all[1] = *other;
    return all[0] + all[1];
}

static void *thread(void *more)
{
    int own = sum(1, more != 0);
    pthread_mutex_lock(&mutex);
    total += own + sum(4, 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, &total);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(total == 12);
    return 0;
}
