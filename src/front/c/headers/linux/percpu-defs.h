#pragma once
#include <linux/percpu.h>
