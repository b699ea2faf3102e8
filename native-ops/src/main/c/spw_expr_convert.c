/* CAST as Java casts, NORM_FLOAT, YEAR. */
#include "spw_expr_step.h"
#include "spw_java.h"

#define SPW_CAST_TO(T, FROM)                                                       \
  switch (s->imm) {                                                                \
    case SPW_BOOL: SPW_UNARY(uint8_t, FROM, x != 0); break;                        \
    case SPW_I8: SPW_UNARY(spw_i8, FROM, (spw_i8)T##_NARROW(x)); break;            \
    case SPW_I16: SPW_UNARY(spw_i16, FROM, (spw_i16)T##_NARROW(x)); break;         \
    case SPW_I32: SPW_UNARY(spw_i32, FROM, (spw_i32)T##_NARROW(x)); break;         \
    case SPW_I64: SPW_UNARY(spw_i64, FROM, (spw_i64)T##_LONG(x)); break;           \
    case SPW_F32: SPW_UNARY(spw_f32, FROM, (float)(x)); break;                     \
    default: SPW_UNARY(spw_f64, FROM, (double)(x)); break;                         \
  }
#define INTEGER_NARROW(x) (x)
#define INTEGER_LONG(x) (x)
#define FLOAT_NARROW(x) spw_java_int((double)(x))
#define FLOAT_LONG(x) spw_java_long((double)(x))

static void cast(const spw_step *s) {
  switch (s->type) {
    case SPW_BOOL: SPW_CAST_TO(INTEGER, uint8_t) break;
    case SPW_I8: SPW_CAST_TO(INTEGER, spw_i8) break;
    case SPW_I16: SPW_CAST_TO(INTEGER, spw_i16) break;
    case SPW_I32: SPW_CAST_TO(INTEGER, spw_i32) break;
    case SPW_I64: SPW_CAST_TO(INTEGER, spw_i64) break;
    case SPW_F32: SPW_CAST_TO(FLOAT, spw_f32) break;
    default: SPW_CAST_TO(FLOAT, spw_f64) break;
  }
}

/* On the bits, so that no compiler may choose another NaN. */
SPW_INLINE uint32_t normal_f32(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffffu;
  return magnitude > 0x7f800000u ? 0x7fc00000u : magnitude == 0 ? 0 : bits;
}

SPW_INLINE uint64_t normal_f64(uint64_t bits) {
  const uint64_t magnitude = bits & 0x7fffffffffffffffu;
  return magnitude > 0x7ff0000000000000u ? 0x7ff8000000000000u : magnitude == 0 ? 0 : bits;
}

/* Counted in 400-year cycles from 1 March of year 0, so that the leap day ends a year. */
SPW_INLINE int32_t year_of(int32_t days) {
  const int64_t z = (int64_t)days + 719468;
  const int64_t cycle = (z >= 0 ? z : z - 146096) / 146097;
  const uint32_t day = (uint32_t)(z - cycle * 146097);
  const uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const uint32_t day_of_year = day - (365 * year + year / 4 - year / 100);
  return (int32_t)((int64_t)year + cycle * 400 + (day_of_year >= 306));
}

int SPW_FN(spw_step_convert)(const spw_step *s) {
  switch (s->op) {
    case SPW_CAST: cast(s); break;
    case SPW_NORM_FLOAT:
      if (s->type == SPW_F32) SPW_UNARY(spw_u32, spw_u32, normal_f32(x));
      else SPW_UNARY(spw_u64, spw_u64, normal_f64(x));
      break;
    default: SPW_UNARY(spw_i32, spw_i32, year_of(x)); break;
  }
  return spw_nulls_one(s, &s->a);
}
