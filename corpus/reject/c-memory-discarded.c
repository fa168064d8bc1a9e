//: error "`madvise` that discards contents is not supported"
#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(void)
{
    int *p = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *p = 1;
    madvise(p, 4, MADV_DONTNEED);
    assert(*p == 1);
    return 0;
}
