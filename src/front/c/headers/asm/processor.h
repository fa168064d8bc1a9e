#pragma once
/* cpu_relax is known by name. */
#include <linux/prefetch.h>
#include <asm/barrier.h>
