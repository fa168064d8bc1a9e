#pragma once
#include <linux/seqlock.h>
