//: error "there is no function `main`"
#include <pthread.h>
static int x;
