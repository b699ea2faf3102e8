/* Remainders, division of integers, bits, and what is exact of floating-point mathematics. */
#include <math.h>

#include "spw_expr_step.h"
#include "spw_java.h"

/* ---- null where the divisor is zero ---- */

#define SPW_DIVIDE_LOOP(T, EXPR)                                     \
  do {                                                               \
    const T *a = s->a.values, *b = s->b.values;                      \
    T *d = s->values;                                                \
    for (int32_t i = 0; i < s->rows; i++) {                          \
      const size_t j = (size_t)i;                                    \
      const T x = a[j * sa], y = b[j * sb];                          \
      const uint8_t null = an[j * nsa] | bn[j * nsb] | (y == 0);     \
      T r = 0;                                                       \
      if (!null) r = (EXPR);                                         \
      d[i] = r;                                                      \
      dn[i] = null;                                                  \
      any |= null;                                                   \
    }                                                                \
  } while (0)

/* -1 is apart: the least integer divided by it traps, and Java's result is that integer again. */
#define SPW_DIVISION(T, U)                                                          \
  SPW_INLINE T rem_##T(T x, T y) { return y == -1 ? 0 : x % y; }                    \
  SPW_INLINE T div_##T(T x, T y) { return y == -1 ? (T)(0 - (U)x) : x / y; }        \
  SPW_INLINE T pmod_##T(T x, T y) {                                                 \
    const T r = rem_##T(x, y);                                                      \
    return r < 0 ? rem_##T((T)((U)r + (U)y), y) : r;                                \
  }
SPW_DIVISION(int32_t, uint32_t)
SPW_DIVISION(int64_t, uint64_t)

/* The remainder of two floats is exact in doubles, and a float. */
SPW_INLINE float rem_f32(float x, float y) { return (float)fmod((double)x, (double)y); }
SPW_INLINE float pmod_f32(float x, float y) {
  const float r = rem_f32(x, y);
  return r < 0 ? rem_f32(r + y, y) : r;
}
SPW_INLINE double pmod_f64(double x, double y) {
  const double r = fmod(x, y);
  return r < 0 ? fmod(r + y, y) : r;
}

SPW_INLINE int64_t floor_div(int64_t x, int64_t y) {
  const int64_t q = div_int64_t(x, y), r = rem_int64_t(x, y);
  return q - (r != 0 && (r < 0) != (y < 0));
}

static int divide(const spw_step *s) {
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  const size_t nsa = spw_null_stride(&s->a), nsb = spw_null_stride(&s->b);
  const uint8_t *an = spw_nulls(&s->a), *bn = spw_nulls(&s->b);
  uint8_t *dn = s->nulls;
  uint8_t any = 0;
  switch (s->type) {
    case SPW_I32:
      if (s->op == SPW_REM) SPW_DIVIDE_LOOP(spw_i32, rem_int32_t(x, y));
      else if (s->op == SPW_PMOD) SPW_DIVIDE_LOOP(spw_i32, pmod_int32_t(x, y));
      else SPW_DIVIDE_LOOP(spw_i32, div_int32_t(x, y));
      break;
    case SPW_I64:
      if (s->op == SPW_REM) SPW_DIVIDE_LOOP(spw_i64, rem_int64_t(x, y));
      else if (s->op == SPW_PMOD) SPW_DIVIDE_LOOP(spw_i64, pmod_int64_t(x, y));
      else if (s->op == SPW_IDIV) SPW_DIVIDE_LOOP(spw_i64, div_int64_t(x, y));
      else SPW_DIVIDE_LOOP(spw_i64, floor_div(x, y));
      break;
    case SPW_F32:
      if (s->op == SPW_REM) SPW_DIVIDE_LOOP(spw_f32, rem_f32(x, y));
      else SPW_DIVIDE_LOOP(spw_f32, pmod_f32(x, y));
      break;
    default:
      if (s->op == SPW_REM) SPW_DIVIDE_LOOP(spw_f64, fmod(x, y));
      else SPW_DIVIDE_LOOP(spw_f64, pmod_f64(x, y));
      break;
  }
  return any;
}

/* ---- bits ---- */

#define SPW_BITS(T)                                               \
  switch (s->op) {                                                \
    case SPW_BIT_AND: SPW_BINARY(T, T, T, (T)(x & y)); break;     \
    case SPW_BIT_OR: SPW_BINARY(T, T, T, (T)(x | y)); break;      \
    case SPW_BIT_XOR: SPW_BINARY(T, T, T, (T)(x ^ y)); break;     \
    default: SPW_UNARY(T, T, (T)(~x)); break;                     \
  }

static int bits(const spw_step *s) {
  switch (s->type) {
    case SPW_I8: SPW_BITS(spw_i8) break;
    case SPW_I16: SPW_BITS(spw_i16) break;
    case SPW_I32: SPW_BITS(spw_i32) break;
    default: SPW_BITS(spw_i64) break;
  }
  return s->op == SPW_BIT_NOT ? spw_nulls_one(s, &s->a) : spw_nulls_two(s, &s->a, &s->b);
}

#define SPW_SHIFTS(T, U, MASK)                                                              \
  switch (s->op) {                                                                          \
    case SPW_SHIFT_LEFT: SPW_BINARY(T, T, spw_i32, (T)((U)x << (y & (MASK)))); break;       \
    case SPW_SHIFT_RIGHT: SPW_BINARY(T, T, spw_i32, (T)(x >> (y & (MASK)))); break;         \
    default: SPW_BINARY(T, T, spw_i32, (T)((U)x >> (y & (MASK)))); break;                   \
  }

static int shift(const spw_step *s) {
  if (s->type == SPW_I32) SPW_SHIFTS(spw_i32, uint32_t, 31)
  else SPW_SHIFTS(spw_i64, uint64_t, 63)
  return spw_nulls_two(s, &s->a, &s->b);
}

/* ---- one operand ---- */

static int absolute(const spw_step *s) {
  switch (s->type) {
    case SPW_I32: SPW_UNARY(spw_i32, spw_i32, (spw_i32)(x < 0 ? 0u - (uint32_t)x : (uint32_t)x)); break;
    case SPW_I64: SPW_UNARY(spw_i64, spw_i64, (spw_i64)(x < 0 ? 0u - (uint64_t)x : (uint64_t)x)); break;
    case SPW_F32: SPW_UNARY(spw_u32, spw_u32, x & 0x7fffffffu); break;
    case SPW_F64: SPW_UNARY(spw_u64, spw_u64, x & UINT64_C(0x7fffffffffffffff)); break;
    default: SPW_UNARY(spw_i128, spw_i128, (spw_i128)spw_magnitude(x)); break;
  }
  return spw_nulls_one(s, &s->a);
}

/* Only below 2^53 has a double a fraction to round. */
#define SPW_HAS_FRACTION(x) ((x) > -9007199254740992.0 && (x) < 9007199254740992.0)

SPW_INLINE int64_t ceiling(double x) {
  const int64_t t = spw_java_long(x);
  return SPW_HAS_FRACTION(x) ? t + ((double)t < x) : t;
}

SPW_INLINE int64_t floor_of(double x) {
  const int64_t t = spw_java_long(x);
  return SPW_HAS_FRACTION(x) ? t - ((double)t > x) : t;
}

static int unary(const spw_step *s) {
  switch (s->op) {
    case SPW_SQRT: SPW_UNARY(spw_f64, spw_f64, sqrt(x)); break;
    case SPW_CEIL: SPW_UNARY(spw_i64, spw_f64, ceiling(x)); break;
    case SPW_FLOOR: SPW_UNARY(spw_i64, spw_f64, floor_of(x)); break;
    default: SPW_UNARY(spw_f64, spw_f64, x > 0 ? 1.0 : x < 0 ? -1.0 : x); break;
  }
  return spw_nulls_one(s, &s->a);
}

int SPW_FN(spw_step_math)(const spw_step *s) {
  switch (s->op) {
    case SPW_REM:
    case SPW_PMOD:
    case SPW_IDIV:
    case SPW_FLOOR_DIV: return divide(s);
    case SPW_BIT_AND:
    case SPW_BIT_OR:
    case SPW_BIT_XOR:
    case SPW_BIT_NOT: return bits(s);
    case SPW_SHIFT_LEFT:
    case SPW_SHIFT_RIGHT:
    case SPW_SHIFT_RIGHT_UNSIGNED: return shift(s);
    case SPW_ABS: return absolute(s);
    default: return unary(s);
  }
}
