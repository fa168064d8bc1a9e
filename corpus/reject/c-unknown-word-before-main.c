//: error "unknown type `UNKNOWN_ATTR`"
#include <assert.h>
UNKNOWN_ATTR int main(void)
{
    assert(0);
}
