#pragma once
#include <linux/smp.h>
