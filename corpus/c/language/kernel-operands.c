//: about Macros of the kernel that stand for functions evaluate their operands once
//: check sc holds
//: check tso holds
#include <assert.h>
#include <linux/atomic.h>

static unsigned long bits;
static int n, flag, *at = &flag;

static int *place(void)
{
    n++;
    return at;
}

int main(void)
{
    int i = 0;
    set_bit(i++, &bits);
    assert(i == 1 && bits == 1);
    assert(test_bit(i--, &bits) == 0 && i == 0);
    assert(test_and_clear_bit(i++, &bits) && i == 1 && bits == 0);
    assert(smp_cond_load_acquire(place(), VAL == 0) == 0);
    assert(n == 1);
    return 0;
}
