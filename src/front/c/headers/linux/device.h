#pragma once
/* Devices and messages about them. Attributes are read and written by user space, of which there is none. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
struct device { struct device *parent; dev_t devt; void *driver_data; };
struct attribute { const char *name; umode_t mode; };
struct device_attribute {
    struct attribute attr;
    ssize_t (*show)(struct device *, struct device_attribute *, char *);
    ssize_t (*store)(struct device *, struct device_attribute *, const char *, size_t);
};
#define __ATTR(name, mode, show, store) { { #name, (mode) }, (show), (store) }
#define DEVICE_ATTR(name, mode, show, store) struct device_attribute dev_attr_##name = __ATTR(name, mode, show, store)
#define DEVICE_ATTR_RW(name) DEVICE_ATTR(name, 0644, name##_show, name##_store)
#define DEVICE_ATTR_RO(name) DEVICE_ATTR(name, 0444, name##_show, NULL)
#define DEVICE_ATTR_WO(name) DEVICE_ATTR(name, 0200, NULL, name##_store)
#define device_create_file(dev, attribute) \
    ((void)(dev), (void)(attribute), __fencepost_operations(), __zero_or_error())
#define device_remove_file(dev, attribute) ((void)(dev), (void)(attribute))
#define sysfs_emit(to, ...) ((void)(to), (void)printf(__VA_ARGS__), __any_in(0, 4095))
/* Making a class or a device may fail. */
struct class { const char *name; };
#define __class_named(text) \
    ({ \
        struct class *__class = kzalloc(sizeof(struct class), GFP_KERNEL); \
        __class->name = (text); \
        __VERIFIER_nondet_bool() ? __class : (struct class *)ERR_PTR(-ENOMEM); \
    })
#define __class_of_owner(owner, text) ((void)(owner), __class_named(text))
#define __class_of(first, second, chosen, ...) chosen
#define class_create(...) __class_of(__VA_ARGS__, __class_of_owner, __class_named)(__VA_ARGS__)
#define class_destroy(c) ((void)(c))
#define device_create(class, above, number, data, ...) \
    ({ \
        struct device *__device = kzalloc(sizeof(struct device), GFP_KERNEL); \
        (void)(class), (void)printf(__VA_ARGS__); \
        __device->parent = (above); \
        __device->devt = (number); \
        __device->driver_data = (data); \
        __VERIFIER_nondet_bool() ? __device : (struct device *)ERR_PTR(-ENODEV); \
    })
#define device_destroy(class, number) ((void)(class), (void)(number))
#define devm_kmalloc(dev, size, flags) ((void)(dev), kmalloc(size, flags))
#define devm_kzalloc(dev, size, flags) ((void)(dev), kzalloc(size, flags))
#define devm_kcalloc(dev, count, size, flags) ((void)(dev), kcalloc(count, size, flags))
#define devm_kfree(dev, block) ((void)(dev), kfree(block))
#define dev_get_drvdata(dev) ((dev)->driver_data)
#define dev_set_drvdata(dev, data) ((void)((dev)->driver_data = (data)))
#define dev_name(dev) ((void)(dev), "device")
#define dev_emerg(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_crit(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_err(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_warn(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_notice(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_info(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_dbg(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_err_ratelimited(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_warn_once(dev, ...) ((void)(dev), printf(__VA_ARGS__))
#define dev_WARN_ONCE(dev, condition, ...) ((void)(dev), WARN_ONCE(condition, __VA_ARGS__))
