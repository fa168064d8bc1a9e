//: error "memory that cannot be both read and written is not supported"
#include <sys/mman.h>
int main(void)
{
    int *p = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p, 4, PROT_READ);
    *p = 1;
    return 0;
}
