#pragma once
#include <linux/llist.h>
