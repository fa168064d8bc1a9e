//: error "the program makes more than 100000 calls that are inlined"
#include <pthread.h>
int f0(int a) { return a + 1; }
int f1(int a) { return f0(a) + f0(a); }
int f2(int a) { return f1(a) + f1(a); }
int f3(int a) { return f2(a) + f2(a); }
int f4(int a) { return f3(a) + f3(a); }
int f5(int a) { return f4(a) + f4(a); }
int f6(int a) { return f5(a) + f5(a); }
int f7(int a) { return f6(a) + f6(a); }
int f8(int a) { return f7(a) + f7(a); }
int f9(int a) { return f8(a) + f8(a); }
int f10(int a) { return f9(a) + f9(a); }
int f11(int a) { return f10(a) + f10(a); }
int f12(int a) { return f11(a) + f11(a); }
int f13(int a) { return f12(a) + f12(a); }
int f14(int a) { return f13(a) + f13(a); }
int f15(int a) { return f14(a) + f14(a); }
int f16(int a) { return f15(a) + f15(a); }
int f17(int a) { return f16(a) + f16(a); }
int f18(int a) { return f17(a) + f17(a); }
int f19(int a) { return f18(a) + f18(a); }
int f20(int a) { return f19(a) + f19(a); }
int f21(int a) { return f20(a) + f20(a); }
int f22(int a) { return f21(a) + f21(a); }
int f23(int a) { return f22(a) + f22(a); }
int f24(int a) { return f23(a) + f23(a); }
int f25(int a) { return f24(a) + f24(a); }
int main(void) { return f25(1); }
