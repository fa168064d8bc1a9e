#pragma once
#include <linux/compiler.h>
#include <linux/export.h>
