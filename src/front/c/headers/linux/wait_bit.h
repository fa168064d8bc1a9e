#pragma once
/* Nothing: waiting for a bit, or waking those that wait, is refused where it is called. */
#include <linux/bitops.h>
#include <linux/wait.h>
