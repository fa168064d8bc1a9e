//: about A pointer to a variable of a block that has ended, while `main` is alone
//: check sc violated
//: check tso violated
#include <assert.h>

int main(void)
{
    int *p;
    {
        int inner = 1;
        p = &inner;
    }
    assert(*p == 1);
    return 0;
}
