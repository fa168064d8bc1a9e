//: error "the attribute `mode` is not supported"
typedef int word_t __attribute__((mode(DI)));

static word_t w;

int main(void)
{
    w = 1;
    return 0;
}
