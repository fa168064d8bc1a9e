//: about Ranges of elements in an initialiser, as in GNU C; later ones count
//: check sc holds
#include <assert.h>

static const int width[8] = { [0 ... 7] = 1, [2 ... 3] = 5, [7] = 2 };

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += width[i];
    assert(sum == 5 + 10 + 2);
    return 0;
}
