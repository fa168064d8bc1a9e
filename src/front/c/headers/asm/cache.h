#pragma once
#include <linux/cache.h>
