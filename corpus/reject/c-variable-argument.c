//: error "the value of one of a variable number of arguments is not supported"
#include <stdarg.h>
static int sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    int first = va_arg(list, int);
    va_end(list);
    return first;
}
int main(void)
{
    return sum(1, 2);
}
