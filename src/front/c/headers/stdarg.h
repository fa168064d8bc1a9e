#pragma once
/* Lists of arguments, and what is done with them, are known by their names. */
