//: about A driver uses a length that user space gives as an index only if it is one
//: check sc holds
//: check tso holds
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
    if (request.index >= ARRAY_SIZE(table))
        return -EINVAL;
    table[request.index] = request.value;
    return 0;
}

void ioctl(void)
{
    set_value(0);
}
