#pragma once
#include <linux/mm.h>
