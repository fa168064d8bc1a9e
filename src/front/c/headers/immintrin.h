#pragma once
/* _mm_mfence, _mm_sfence, _mm_lfence and _mm_pause are known by name. */
