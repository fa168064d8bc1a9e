//: about A program's own functions and objects have the names of others in the headers of what it calls
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

double log(double);

struct list { int count; };
static struct list list = { 3 };
int read, optind = 7;

int exp(int base, int exponent)
{
    return base + exponent;
}

int remove(struct list *from)
{
    return from->count--;
}

static void *thread(void *unused)
{
    read = remove(&list);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *copy = strdup("ab");

    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(read == 3 && list.count == 2);
    assert(exp(1, 2) == 3 && abs(-optind) == 7 && copy[1] == 'b');
    return 0;
}
