//: error "a part of a mapping ends, and the rest stays"
#include <sys/mman.h>
int main(void)
{
    char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(p, 4096);
    p[5000] = 1;
    return 0;
}
