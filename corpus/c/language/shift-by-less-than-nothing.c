//: about A negative number of bits, under `main` alone, where everything is known
//: check sc violated
//: check tso violated
int main(void)
{
    int mask = 0;
    for (int i = 2; i >= -1; i--)
        mask |= 8 >> i;
    return mask;
}
