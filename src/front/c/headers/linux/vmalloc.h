#pragma once
#include <linux/slab.h>
