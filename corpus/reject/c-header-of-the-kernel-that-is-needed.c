//: error "`struct platform_device` is not defined"
#include <linux/module.h>
#include <linux/platform_device.h>

int main(void)
{
    struct platform_device device;
    return device.id;
}
