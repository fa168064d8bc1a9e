//: about A weak function without a definition has no address, so nothing calls it.
//: check sc holds
#include <assert.h>

extern int hook(void) __attribute__((weak));
static int calls;

int main(void)
{
    if (hook)
        calls = hook();
    assert(calls == 0);
    return 0;
}
