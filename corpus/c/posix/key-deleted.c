//: about The values of a key that was deleted have no destructor; nor are those of `main` given to it where the process ends
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <threads.h>

static tss_t deleted, kept;
static int gone, ended, value;

static void never(void *unused)
{
    gone = 1;
}

static void once(void *unused)
{
    ended++;
    assert(ended == 1);
}

static int thread(void *unused)
{
    tss_set(deleted, &value);
    tss_set(kept, &value);
    tss_delete(deleted);
    thrd_exit(0);
}

int main(void)
{
    thrd_t t;

    tss_create(&deleted, never);
    tss_create(&kept, once);
    tss_set(kept, &value);
    thrd_create(&t, thread, NULL);
    thrd_join(t, NULL);
    assert(!gone && ended == 1);
    return 0;
}
