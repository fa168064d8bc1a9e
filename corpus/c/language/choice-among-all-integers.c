//: about A status is any of 2^32 values, of which the program distinguishes few.
//: check sc violated
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int status = __VERIFIER_nondet_int();
    unsigned bits = status;
    if (status == -1 || status > 1000)
        return 0;
    // Only below -1, or above 1000, is a number without a sign above 2000.
    assert(bits <= 2000);
    return 0;
}
