//: about A lock that is released wherever its scope is left, a constructor, and an alias.
//: check sc holds
//: check tso holds
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit, count;

__attribute__((constructor)) static void set_up(void)
{
    limit = 2;
}

static void release(pthread_mutex_t **held)
{
    pthread_mutex_unlock(*held);
}

#define scoped_lock() \
    pthread_mutex_t *held __attribute__((cleanup(release))) = &lock; \
    pthread_mutex_lock(held)

static int taken(void)
{
    for (int tries = 0; tries < 2; tries++) {
        scoped_lock();
        if (count == limit)
            break;
        if (tries == 0)
            continue;
        // The value is computed before the lock is released.
        return ++count;
    }
    return 0;
}

int taken_here(void) __attribute__((alias("taken")));

static void *take(void *unused)
{
    taken_here();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    int own = taken();
    assert(own == 1 || own == 2);
    pthread_join(thread, NULL);
    assert(taken() == 0 && count == 2);
    assert(pthread_mutex_trylock(&lock) == 0);
    return 0;
}
