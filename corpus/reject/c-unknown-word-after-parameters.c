//: error "unknown word `RETURNS` beside the function `main`"
#include <assert.h>
int main(void) RETURNS
{
    assert(0);
}
