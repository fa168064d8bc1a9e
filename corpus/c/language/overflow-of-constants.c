//: about Products of constants overflow, also those that leave 128 bits
//: check sc holds
//: check tso holds
//: check pso holds
#include <assert.h>
#include <stdint.h>

int main(void)
{
    uint64_t wide;
    int narrow;
    assert(__builtin_mul_overflow(UINT64_MAX, UINT64_MAX, &wide));
    assert(wide == 1);
    assert(__builtin_mul_overflow(UINT64_MAX, 1, &narrow));
    assert(narrow == -1);
    assert(!__builtin_mul_overflow(-1, -1, &wide));
    assert(wide == 1);
    assert(__builtin_sub_overflow(0, 1u, &wide));
    assert(wide == UINT64_MAX);
    assert(!__builtin_add_overflow(UINT64_MAX, -1, &wide));
    assert(wide == UINT64_MAX - 1);
    return 0;
}
