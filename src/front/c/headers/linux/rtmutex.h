#pragma once
/* Priorities make no difference here. */
#include <linux/mutex.h>
struct rt_mutex { struct mutex mutex; };
#define __RT_MUTEX_INITIALIZER(name) { __MUTEX_INITIALIZER(name) }
#define DEFINE_RT_MUTEX(name) struct rt_mutex name = __RT_MUTEX_INITIALIZER(name)
#define rt_mutex_init(m) mutex_init(&(m)->mutex)
#define rt_mutex_lock(m) mutex_lock(&(m)->mutex)
#define rt_mutex_lock_interruptible(m) mutex_lock_interruptible(&(m)->mutex)
#define rt_mutex_trylock(m) mutex_trylock(&(m)->mutex)
#define rt_mutex_unlock(m) mutex_unlock(&(m)->mutex)
