#pragma once
#include <linux/cpumask.h>
#include <linux/preempt.h>
