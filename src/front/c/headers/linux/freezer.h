#pragma once
#include <linux/kthread.h>
#include <linux/wait.h>
