//: about memcpy of more bytes than the object has
//: check sc violated
//: check tso violated
#include <string.h>

struct pair { int a, b; };

int main(void)
{
    struct pair from = { 1, 2 }, into;
    memcpy(&into, &from, 2 * sizeof from);
    return 0;
}
