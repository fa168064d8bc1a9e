#pragma once
/* Devices and messages about them. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
struct device { struct device *parent; void *driver_data; };
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
