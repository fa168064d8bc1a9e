//: about A function returns the address of its own variable, in a thread and while `main` is alone
//: check sc violated
//: check tso violated
#include <assert.h>
#include <pthread.h>

static int *local(void)
{
    int number = 1;
    return &number;
}

int main(void)
{
    assert(*local() == 1);
    return 0;
}
