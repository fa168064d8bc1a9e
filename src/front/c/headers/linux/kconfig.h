#pragma once
/* Options of a build: `-DCONFIG_X=1`, or `-DCONFIG_X_MODULE=1`. Those of the machine are set. */
#ifndef CONFIG_64BIT
#define CONFIG_64BIT 1
#endif
#ifndef CONFIG_SMP
#define CONFIG_SMP 1
#endif
#ifndef CONFIG_X86
#define CONFIG_X86 1
#endif
#ifndef CONFIG_X86_64
#define CONFIG_X86_64 1
#endif
/* A comma only if the option is 1, which moves the 1 to the second place. */
#define __OPTION_COMMA_1 0,
#define __option_second(first, second, ...) second
#define __option_is_one(comma) __option_second(comma 1, 0, 0)
#define __option_pasted(value) __option_is_one(__OPTION_COMMA_##value)
#define __option(value) __option_pasted(value)
#define IS_BUILTIN(option) __option(option)
#define IS_MODULE(option) __option(option##_MODULE)
#define IS_ENABLED(option) (IS_BUILTIN(option) || IS_MODULE(option))
#define IS_REACHABLE(option) IS_ENABLED(option)
