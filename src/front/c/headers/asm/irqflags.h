#pragma once
#include <linux/irqflags.h>
