#pragma once
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/types.h>
