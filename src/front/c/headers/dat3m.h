#pragma once
/* The __VERIFIER_ functions are known by name. */
