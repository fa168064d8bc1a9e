//: error "`struct usb_device` is not defined"
#include <linux/module.h>
#include <linux/usb.h>

int main(void)
{
    struct usb_device device;
    return device.devnum;
}
