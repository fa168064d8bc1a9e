//: error "the type of the elements is not known here"
#include <stdlib.h>
static int items[2];
static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static void sort(void *some, size_t count, size_t size)
{
    qsort(some, count, size, ascending);
}
int main(void)
{
    sort(items, 2, sizeof items[0]);
    return 0;
}
