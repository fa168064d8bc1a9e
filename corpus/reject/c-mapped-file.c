//: error "memory that is mapped to a file, or to a fixed address, is not supported"
#include <fcntl.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
    int *shared = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_SHARED, argc, 0);
    *shared = 1;
    return 0;
}
