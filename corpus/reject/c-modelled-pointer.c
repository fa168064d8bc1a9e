//: error "no call has any value of type `int *`"
//: call find = nondet
int *find(int key);

int main(void)
{
    int *found = find(1);
    return found != 0;
}
