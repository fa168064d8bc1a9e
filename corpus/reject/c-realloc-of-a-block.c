//: error "`realloc` of a block, which may move, is not supported"
#include <stdlib.h>
int main(void)
{
    int *block = malloc(sizeof *block);
    block = realloc(block, 2 * sizeof *block);
    return block == NULL;
}
