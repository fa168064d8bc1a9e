#pragma once
#include <linux/cpumask.h>
#include <linux/smp.h>
