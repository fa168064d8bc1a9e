//: about Functions without a body: any value of the type, nothing, and a violation where it is reached
//: call sensor = nondet
//: call trace = nothing
//: call panic = violation
//: check sc holds
//: check tso violated
#include <pthread.h>

unsigned char sensor(int number);
void trace(const char *what, int value);
void panic(const char *why);

static int x, y, a, b;

static void *first(void *unused)
{
    x = 1;
    a = y;
    trace("first", a);
    return NULL;
}

static void *second(void *unused)
{
    y = 1;
    b = x;
    return NULL;
}

int main(void)
{
    pthread_t s, t;
    unsigned char value = sensor(1);
    if (value > 255)
        panic("no byte");
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    if (!a && !b)
        panic("both passed");
    return 0;
}

// race: `x` (lines 17 and 26)
// race: `y` (lines 18 and 25)
