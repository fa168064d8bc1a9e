#pragma once
#include <stdbool.h>
#include <stddef.h>
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member) (offsetof(type, member) + sizeof_field(type, member))
