#pragma once
/* Functions with a variable number of arguments are refused where they are called. */
