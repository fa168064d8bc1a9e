//: check sc holds
//: check tso holds
// Numbers far from 0 are converted like all others.
#include <assert.h>

int low = -2000000;
unsigned char narrow;
int half;

int main(void) {
    narrow = low;
    long high = 1L << 41;
    half = (int)(high >> 20) + (int)high;
    assert(narrow == 128);
    assert(half == 2097152);
    return 0;
}
