//: about gcc counts bytes here, and clang elements
//: error "`atomic_fetch_add` of a pointer is not supported"
#include <stdatomic.h>

int a[3];
_Atomic(int *) p = a;

int main(void)
{
    atomic_fetch_add(&p, 1);
    return 0;
}
