#pragma once
#include <linux/spinlock.h>
