//: about A text that user space gives ends inside the buffer, or fills it
//: check sc holds
//: check tso holds
// fencepost: thread writes
#include <linux/bug.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

static char name[4];

void writes(void)
{
    long length = strncpy_from_user(name, NULL, sizeof(name));
    BUG_ON(length < -EFAULT || length > 4);
    if (length >= 0 && length < 4)
        BUG_ON(name[length] != 0);
    int value = 3;
    if (get_user(value, (int __user *)0))
        BUG_ON(value != 0);
    int error = put_user(value, (int __user *)0);
    BUG_ON(error && error != -EFAULT);
}
