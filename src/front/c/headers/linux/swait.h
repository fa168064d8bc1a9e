#pragma once
#include <linux/wait.h>
