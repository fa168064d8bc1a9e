#pragma once
#include <linux/cpumask.h>
