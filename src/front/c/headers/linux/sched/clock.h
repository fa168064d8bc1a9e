#pragma once
#include <linux/ktime.h>
#include <linux/sched.h>
