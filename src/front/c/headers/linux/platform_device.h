#pragma once
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
struct device_driver { const char *name; struct module *owner; };
struct platform_device { const char *name; int id; struct device dev; };
struct platform_driver {
    int (*probe)(struct platform_device *);
    void (*remove)(struct platform_device *);
    struct device_driver driver;
};
#define to_platform_device(d) container_of(d, struct platform_device, dev)
#define platform_get_drvdata(p) dev_get_drvdata(&(p)->dev)
#define platform_set_drvdata(p, data) dev_set_drvdata(&(p)->dev, data)
#define platform_get_irq(p, number) \
    ((void)(p), (void)(number), __VERIFIER_nondet_bool() ? __any_in(1, 1023) : __any_in(-4095, -1))
#define platform_driver_register(driver) ((void)(driver), __fencepost_operations(), __zero_or_error())
#define platform_driver_unregister(driver) ((void)(driver))
#define module_platform_driver(driver) _Static_assert(1, "")
