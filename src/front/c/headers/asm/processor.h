#pragma once
/* cpu_relax is known by name. */
#include <asm/barrier.h>
