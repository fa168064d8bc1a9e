//: about Epochs and RCU readers: the reader is inside before anybody sees it, and the writer frees what it reads; fenced at PIN and ADV
//: check sc holds
//: check tso holds
//: check pso holds
//: robust tso yes
//: robust pso yes
#include <assert.h>
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <pthread.h>

struct data {
    int freed;
};

static struct data data;
static struct data *pointer = &data;    /* null: unlinked */
static int inside;                      /* the reader is */

static void *reader(void *unused)
{
    struct data *p;
    WRITE_ONCE(inside, 1);
    smp_mb();
    p = rcu_dereference(pointer);
    if (p)
        assert(!READ_ONCE(p->freed));
    return NULL;
}

static void *writer(void *unused)
{
    RCU_INIT_POINTER(pointer, NULL);
    smp_mb();
    if (!READ_ONCE(inside))
        WRITE_ONCE(data.freed, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
