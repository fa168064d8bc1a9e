//: about Handlers for the end of the process get what they were registered with, the last one first
//: check sc holds
#include <stdlib.h>
#include <assert.h>
static int order;
static void first(int status, void *p) { assert(order == 1 && *(int *)p == 5); order++; }
static void second(void) { assert(order == 0); order++; }
static int five = 5;
int main(void) { on_exit(first, &five); atexit(second); return 0; }
