#include "spw_level.h"

int spw_cpu_level(void) {
#if defined(__x86_64__)
  /* The compiler's own check asks the operating system too whether it saves the registers. */
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  return 0;
#endif
}
