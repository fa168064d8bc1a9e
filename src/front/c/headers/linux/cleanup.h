#pragma once
/* Nothing: guards, which release at the end of a block, are refused where they are used. */
#include <linux/compiler.h>
