#pragma once
#include <linux/build_bug.h>
#include <linux/stddef.h>
#define container_of(p, type, member) ((type *)__fencepost_container((p), &((type *)0)->member))
#define container_of_const(p, type, member) container_of(p, type, member)
