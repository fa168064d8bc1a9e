#pragma once
#include <linux/mutex.h>
