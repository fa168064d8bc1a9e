//: about A pointer is changed as one to another structure
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct base { struct base *next; };
struct derived { struct derived *next; int v; };
static struct derived first = { 0, 1 }, second = { 0, 2 };
static struct derived *head = &first;
static struct base **_Atomic end;

static void *give(void *unused)
{
    end = (struct base **)&head;
    return NULL;
}

static void *take(void *unused)
{
    struct base **at = end;
    if (at) {
        second.next = (struct derived *)*at;
        *at = (struct base *)&second;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(head == &first);
    return 0;
}
