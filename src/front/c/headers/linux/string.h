#pragma once
#include <linux/types.h>
#include <string.h>
