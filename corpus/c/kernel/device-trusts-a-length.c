//: about A driver uses a length that user space gives as an index, without a look at it
//: check sc violated
//: check tso violated
// fencepost: thread ioctl
#include <linux/fs.h>
#include <linux/uaccess.h>

static int table[4];

struct request { unsigned short index; int value; };

static long set_value(unsigned long argument)
{
    struct request request;
    if (copy_from_user(&request, (void __user *)argument, sizeof(request)))
        return -EFAULT;
    table[request.index] = request.value;
    return 0;
}

void ioctl(void)
{
    set_value(0);
}
