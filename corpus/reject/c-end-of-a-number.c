//: error "what `strtol` stores here is not known: only integers are any value"
#include <stdlib.h>
int main(void)
{
    char *end;
    return (int)strtol("12", &end, 10);
}
