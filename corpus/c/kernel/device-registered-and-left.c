//: about A module registers devices, each of which may fail, and forgets to undo one
//: check sc violated
//: check tso violated
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

static const struct file_operations operations = { .owner = THIS_MODULE, .llseek = no_llseek };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "misc", .fops = &operations };
static struct cdev device;
static struct class *class;
static dev_t number;
static int registered;

static int __init start(void)
{
    int error = alloc_chrdev_region(&number, 0, 1, "device");
    if (error)
        return error;
    registered++;
    BUG_ON(MINOR(number) != 0 || MAJOR(number) == 0);
    class = class_create("class");
    if (IS_ERR(class)) {
        error = PTR_ERR(class);
        goto region;
    }
    registered++;
    cdev_init(&device, &operations);
    error = cdev_add(&device, number, 1);
    if (error)
        goto class;
    registered++;
    error = misc_register(&misc);
    if (!error) {
        BUG_ON(registered != 3);
        return 0;
    }
    cdev_del(&device);
class:
    class_destroy(class);
    registered--;
region:
    unregister_chrdev_region(number, 1);
    registered--;
    BUG_ON(registered != 0 || error >= 0);
    return error;
}
module_init(start);
