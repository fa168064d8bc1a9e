#pragma once
/* In the locale "C". Arguments are evaluated once. */
#define __within(c, low, high) ({ int __character = (c); __character >= (low) && __character <= (high); })
#define isdigit(c) __within(c, '0', '9')
#define islower(c) __within(c, 'a', 'z')
#define isupper(c) __within(c, 'A', 'Z')
#define isalpha(c) ({ int __letter = (c); islower(__letter) || isupper(__letter); })
#define isalnum(c) ({ int __sign = (c); isalpha(__sign) || isdigit(__sign); })
#define isspace(c) ({ int __blank = (c); __blank == ' ' || __within(__blank, '\t', '\r'); })
#define isprint(c) __within(c, ' ', '~')
#define tolower(c) ({ int __high = (c); isupper(__high) ? __high - 'A' + 'a' : __high; })
#define toupper(c) ({ int __low = (c); islower(__low) ? __low - 'a' + 'A' : __low; })
