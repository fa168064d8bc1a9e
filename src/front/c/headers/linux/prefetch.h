#pragma once
#define prefetch(p) ((void)(p))
#define prefetchw(p) ((void)(p))
#define prefetch_range(p, size) ((void)(p), (void)(size))
