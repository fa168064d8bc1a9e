//: about What `strscpy`, `kmemdup` and `kstrdup` copy
//: check sc holds
#include <linux/bug.h>
#include <linux/string.h>
struct s { int a, b; };
int main(void)
{
    char b[4]; char c[8];
    BUG_ON(strscpy(b, "abcdef", sizeof(b)) != -E2BIG);
    BUG_ON(b[0] != 'a' || b[2] != 'c' || b[3]);
    BUG_ON(strscpy(b, "abc") != 3 || b[2] != 'c' || b[3]);
    BUG_ON(strscpy(c, "ab") != 2 || c[2]);
    struct s x = {1,2};
    struct s *y = kmemdup(&x, sizeof x, GFP_KERNEL);
    BUG_ON(y->a != 1 || y->b != 2);
    char *z = kstrdup("hi", GFP_KERNEL);
    BUG_ON(z[1] != 'i' || z[2]);
    return 0;
}
