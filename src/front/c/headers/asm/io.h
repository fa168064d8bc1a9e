#pragma once
#include <linux/io.h>
