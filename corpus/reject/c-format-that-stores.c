//: error "`%n` stores through a pointer, which is not supported"
//: error "the format is not a literal, so it may store through this pointer (`%n`)"
#include <stdio.h>
int main(void)
{
    int x = 0;
    char form[] = { '%', 'n', 0 };
    printf("100%%n\n");
    printf("%-2hhn", (signed char *)&x);
    printf(form, &x);
    return x;
}
