//: about A member of an element that is known at run time only is filled to its end
//: check sc holds
//: check tso holds
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct obj { int a; int b[2]; int *p; };
static struct { struct obj first; struct obj all[2]; } two;
static atomic_int i;
static void *run1(void *of) {
    memset(two.all[i & 1].b, 0, sizeof two.all[0].b);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run1, NULL);
    i = 1;
    pthread_join(t, NULL);
    return 0;
}
