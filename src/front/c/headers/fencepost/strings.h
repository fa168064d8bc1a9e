#include <stddef.h>
/* Each function is read where a program calls it and has none of its own. */
#ifdef NEEDS_strlen
size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
#endif
#ifdef NEEDS_strnlen
size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}
#endif
#ifdef NEEDS_strcmp
int strcmp(const char *left, const char *right)
{
    size_t at = 0;
    while (left[at] && left[at] == right[at])
        at++;
    return (unsigned char)left[at] - (unsigned char)right[at];
}
#endif
#ifdef NEEDS_strncmp
int strncmp(const char *left, const char *right, size_t most)
{
    for (size_t at = 0; at < most; at++) {
        if (left[at] != right[at])
            return (unsigned char)left[at] - (unsigned char)right[at];
        if (!left[at])
            return 0;
    }
    return 0;
}
#endif
#ifdef NEEDS_strcpy
char *strcpy(char *into, const char *from)
{
    size_t at = 0;
    do
        into[at] = from[at];
    while (from[at++]);
    return into;
}
#endif
#ifdef NEEDS_strncpy
char *strncpy(char *into, const char *from, size_t most)
{
    size_t at = 0;
    for (; at < most && from[at]; at++)
        into[at] = from[at];
    for (; at < most; at++)
        into[at] = 0;
    return into;
}
#endif
#ifdef NEEDS_strcat
char *strcat(char *into, const char *from)
{
    size_t end = 0, at = 0;
    while (into[end])
        end++;
    do
        into[end + at] = from[at];
    while (from[at++]);
    return into;
}
#endif
#ifdef NEEDS_strchr
char *strchr(const char *text, int wanted)
{
    for (size_t at = 0;; at++) {
        if (text[at] == (char)wanted)
            return (char *)text + at;
        if (!text[at])
            return 0;
    }
}
#endif
#ifdef NEEDS_strrchr
char *strrchr(const char *text, int wanted)
{
    char *found = 0;
    for (size_t at = 0;; at++) {
        if (text[at] == (char)wanted)
            found = (char *)text + at;
        if (!text[at])
            return found;
    }
}
#endif
