//: error "unknown word `EXPORTED` beside the function `main`"
#include <assert.h>
EXPORTED(1) int main(void)
{
    assert(0);
}
