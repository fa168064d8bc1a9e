//: error "objects of different scalars are copied or compared"
#include <string.h>

struct halves { short a, b; };

int main(void)
{
    int word = 1;
    struct halves parts;
    memcpy(&parts, &word, sizeof parts);
    return 0;
}
