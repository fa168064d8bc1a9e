#pragma once
#include <linux/timex.h>
