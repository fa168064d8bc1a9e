#pragma once
#include <linux/bitops.h>
