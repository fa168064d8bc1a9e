//: error "C has no editions"
//: edition 2021
int main(void) { return 0; }
