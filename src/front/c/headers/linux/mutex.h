#pragma once
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
struct mutex { __fencepost_mutex lock; };
#define __MUTEX_INITIALIZER(name) {{0}}
#define DEFINE_MUTEX(name) struct mutex name = {{0}}
#define mutex_init(m) ((void)pthread_mutex_init(&(m)->lock, (void *)0))
#define mutex_destroy(m) ((void)pthread_mutex_destroy(&(m)->lock))
#define mutex_lock(m) ((void)pthread_mutex_lock(&(m)->lock))
#define mutex_lock_interruptible(m) pthread_mutex_lock(&(m)->lock)
#define mutex_trylock(m) (pthread_mutex_trylock(&(m)->lock) == 0)
#define mutex_unlock(m) ((void)pthread_mutex_unlock(&(m)->lock))
