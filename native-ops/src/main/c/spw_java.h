/* Numbers as Java converts them. */
#ifndef SPW_JAVA_H
#define SPW_JAVA_H

#include "spw_base.h"

/* NaN gives 0, what is out of range the nearest end. */
SPW_INLINE int32_t spw_java_int(double x) {
  double y = x > -2147483648.0 ? x : -2147483648.0;
  y = y < 2147483647.0 ? y : 2147483647.0;
  const int32_t r = (int32_t)y;
  return x == x ? r : 0;
}

SPW_INLINE int64_t spw_java_long(double x) {
  if (x >= 9223372036854775808.0) return INT64_MAX;
  if (x < -9223372036854775808.0) return INT64_MIN;
  return x == x ? (int64_t)x : 0;
}

/* Division towards negative infinity; the divisor is above 0. */
SPW_INLINE int64_t spw_floor_div(int64_t x, int64_t divisor) {
  const int64_t q = x / divisor;
  return q - (x % divisor < 0);
}

#endif
