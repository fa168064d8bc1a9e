#pragma once
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
