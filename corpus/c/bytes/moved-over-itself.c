//: about memmove of objects that overlap, memset, and memcmp: the first byte that differs decides
//: check sc holds
//: check tso holds
#include <assert.h>
#include <string.h>

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };
    memmove(a + 1, a, 3 * sizeof *a);
    assert(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[3] == 3);
    int b[4];
    memset(b, 0, sizeof b);
    assert(b[3] == 0);
    memset(b, 0xff, 2 * sizeof *b);
    assert(b[0] == -1 && b[1] == -1 && b[2] == 0);
    /* 256 is 00 01 00 00 in memory, 1 is 01 00 00 00. */
    int low = 1, high = 256;
    assert(memcmp(&low, &high, sizeof low) > 0);
    assert(memcmp(a, a, sizeof a) == 0);
    return 0;
}
