//: error "no argument is read as `struct pair` here"
#include <stdarg.h>
struct pair { int a, b; };
static int first(int count, ...)
{
    va_list list;
    va_start(list, count);
    struct pair pair = va_arg(list, struct pair);
    va_end(list);
    return pair.a;
}
int main(void)
{
    struct pair pair = { 1, 2 };
    return first(1, pair);
}
