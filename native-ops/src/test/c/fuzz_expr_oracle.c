/* What each instruction means, one value at a time and as plainly as can be. */
#include <math.h>

#include "fuzz_expr.h"

static scalar null_of(int32_t type) {
  scalar s;
  memset(&s, 0, sizeof s);
  s.null = 1;
  s.type = type;
  return s;
}

static scalar bool_of(int value) {
  scalar s = null_of(SPW_BOOL);
  s.null = 0;
  s.v.b = value != 0;
  return s;
}

static int compare(const scalar *a, const scalar *b) {
  switch (a->type) {
    case SPW_BOOL: return a->v.b < b->v.b ? -1 : a->v.b > b->v.b;
    case SPW_I8: return a->v.i8 < b->v.i8 ? -1 : a->v.i8 > b->v.i8;
    case SPW_I16: return a->v.i16 < b->v.i16 ? -1 : a->v.i16 > b->v.i16;
    case SPW_I32: return a->v.i32 < b->v.i32 ? -1 : a->v.i32 > b->v.i32;
    case SPW_I64: return a->v.i64 < b->v.i64 ? -1 : a->v.i64 > b->v.i64;
    case SPW_I128: return a->v.i128 < b->v.i128 ? -1 : a->v.i128 > b->v.i128;
    case SPW_STR: return str_order(&a->v.str, &b->v.str);
    default: {
      const double x = a->type == SPW_F32 ? (double)a->v.f32 : a->v.f64;
      const double y = a->type == SPW_F32 ? (double)b->v.f32 : b->v.f64;
      if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : isnan(x) ? 1 : -1;
      return x < y ? -1 : x > y;
    }
  }
}

static scalar arithmetic(const spw_instr *code, const scalar *a, const scalar *b) {
  scalar s = *a;
  const int op = code->op;
  switch (a->type) {
    case SPW_I32: {
      const uint32_t x = (uint32_t)a->v.i32, y = (uint32_t)b->v.i32;
      s.v.i32 = (int32_t)(op == SPW_ADD ? x + y : op == SPW_SUB ? x - y : x * y);
      break;
    }
    case SPW_I64: {
      const uint64_t x = (uint64_t)a->v.i64, y = (uint64_t)b->v.i64;
      s.v.i64 = (int64_t)(op == SPW_ADD ? x + y : op == SPW_SUB ? x - y : x * y);
      break;
    }
    case SPW_F32:
      s.v.f32 = op == SPW_ADD ? a->v.f32 + b->v.f32 : op == SPW_SUB ? a->v.f32 - b->v.f32 : a->v.f32 * b->v.f32;
      break;
    default:
      if (op == SPW_DIV) return b->v.f64 == 0 ? null_of(SPW_F64) : (s.v.f64 = a->v.f64 / b->v.f64, s);
      s.v.f64 = op == SPW_ADD ? a->v.f64 + b->v.f64 : op == SPW_SUB ? a->v.f64 - b->v.f64 : a->v.f64 * b->v.f64;
      break;
  }
  return s;
}

static scalar negate(const scalar *a) {
  scalar s = *a;
  switch (a->type) {
    case SPW_I32: s.v.i32 = a->v.i32 == INT32_MIN ? INT32_MIN : -a->v.i32; break;
    case SPW_I64: s.v.i64 = a->v.i64 == INT64_MIN ? INT64_MIN : -a->v.i64; break;
    case SPW_F32: s.v.f32 = -a->v.f32; break;
    case SPW_F64: s.v.f64 = -a->v.f64; break;
    default: s.v.i128 = a->v.i128 == SPW_WIDE_MIN ? SPW_WIDE_MIN : -a->v.i128; break;
  }
  return s;
}

static spw_wide decimal(const scalar *a) { return a->type == SPW_I64 ? a->v.i64 : a->v.i128; }

static scalar decimals(const spw_instr *code, int32_t dst_type, const scalar *a, const scalar *b) {
  big r = big_of(decimal(a)), limit = big_power_of_ten(code->imm);
  int bounded = 1;
  big other = b == NULL ? big_of(0) : big_of(decimal(b));
  switch (code->op) {
    case SPW_DEC_ADD: r = big_add(r, other); break;
    case SPW_DEC_SUB: other.negative = !other.negative; r = big_add(r, other); break;
    case SPW_DEC_MUL: r = big_mul(r, other); break;
    case SPW_DEC_SCALE_UP: r = big_mul(r, limit); bounded = 0; break;
    default: break;
  }
  scalar s = null_of(dst_type);
  spw_wide value = 0;
  if (bounded && big_compare_magnitude(&r, &limit) >= 0) return s;
  if (!big_to_wide(&r, &value)) return s;
  if (dst_type == SPW_I64 && value != (int64_t)value) return s;
  s.null = 0;
  if (dst_type == SPW_I64) s.v.i64 = (int64_t)value;
  else s.v.i128 = value;
  return s;
}

static int64_t java_long(double x) {
  if (isnan(x)) return 0;
  if (x >= 0x1p63) return INT64_MAX;
  if (x <= -0x1p63) return INT64_MIN;
  return (int64_t)x;
}

static int32_t java_int(double x) {
  const int64_t wide = java_long(x);
  return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

static scalar cast(const scalar *a, int32_t to) {
  scalar s = null_of(to);
  s.null = 0;
  const int floating = a->type == SPW_F32 || a->type == SPW_F64;
  const double d = a->type == SPW_F32 ? (double)a->v.f32 : a->type == SPW_F64 ? a->v.f64 : 0;
  const int64_t i = a->type == SPW_BOOL  ? a->v.b
                    : a->type == SPW_I8  ? a->v.i8
                    : a->type == SPW_I16 ? a->v.i16
                    : a->type == SPW_I32 ? a->v.i32
                    : a->type == SPW_I64 ? a->v.i64
                                         : 0;
  const int64_t small = floating ? java_int(d) : i;
  switch (to) {
    case SPW_BOOL: s.v.b = floating ? d != 0 : i != 0; break;
    case SPW_I8: s.v.i8 = (int8_t)small; break;
    case SPW_I16: s.v.i16 = (int16_t)small; break;
    case SPW_I32: s.v.i32 = (int32_t)small; break;
    case SPW_I64: s.v.i64 = floating ? java_long(d) : i; break;
    case SPW_F32: s.v.f32 = a->type == SPW_F32 ? a->v.f32 : floating ? (float)d : (float)i; break;
    default: s.v.f64 = floating ? d : (double)i; break;
  }
  return s;
}

static int leap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/* Year by year from 1970, in steps of 400 years first. */
static int32_t year(int32_t days) {
  int64_t y = 1970 + (int64_t)(days / 146097) * 400, left = days % 146097;
  while (left < 0) left += leap(--y) ? 366 : 365;
  while (left >= (leap(y) ? 366 : 365)) left -= leap(y++) ? 366 : 365;
  return (int32_t)y;
}

static int string_test(int op, const spw_str *a, const spw_str *b) {
  const uint8_t *x = str_bytes(a), *y = str_bytes(b);
  if (b->length > a->length) return 0;
  const uint32_t last = a->length - b->length;
  const uint32_t from = op == SPW_ENDS_WITH ? last : 0, to = op == SPW_STARTS_WITH ? 0 : last;
  for (uint32_t start = from; start <= to; start++) {
    uint32_t i = 0;
    while (i < b->length && x[start + i] == y[i]) i++;
    if (i == b->length) return 1;
  }
  return 0;
}

static scalar normal(const scalar *a) {
  scalar s = *a;
  if (a->type == SPW_F32) {
    const uint32_t nan = 0x7fc00000u;
    if (isnan(a->v.f32)) memcpy(&s.v.f32, &nan, 4);
    else if (a->v.f32 == 0) s.v.f32 = 0;
  } else {
    const uint64_t nan = UINT64_C(0x7ff8000000000000);
    if (isnan(a->v.f64)) memcpy(&s.v.f64, &nan, 8);
    else if (a->v.f64 == 0) s.v.f64 = 0;
  }
  return s;
}

static scalar logic(int op, const scalar *a, const scalar *b) {
  const int deciding = op == SPW_OR;
  if ((!a->null && a->v.b == deciding) || (!b->null && b->v.b == deciding)) return bool_of(deciding);
  return a->null || b->null ? null_of(SPW_BOOL) : bool_of(!deciding);
}

scalar oracle_instruction(const spw_instr *code, int32_t dst_type, const scalar *a, const scalar *b, const scalar *c) {
  switch (code->op) {
    case SPW_EQ_NULL_SAFE: return bool_of(a->null || b->null ? a->null && b->null : compare(a, b) == 0);
    case SPW_AND:
    case SPW_OR: return logic(code->op, a, b);
    case SPW_IS_NULL: return bool_of(a->null);
    case SPW_IS_NOT_NULL: return bool_of(!a->null);
    case SPW_SELECT: return !a->null && a->v.b ? *b : *c;
    case SPW_COALESCE: return a->null ? *b : *a;
    default: break;
  }
  if (a->null || (b != NULL && b->null)) return null_of(dst_type);
  switch (code->op) {
    case SPW_MOV: return *a;
    case SPW_ADD:
    case SPW_SUB:
    case SPW_MUL:
    case SPW_DIV: return arithmetic(code, a, b);
    case SPW_NEG: return negate(a);
    case SPW_EQ: return bool_of(compare(a, b) == 0);
    case SPW_NE: return bool_of(compare(a, b) != 0);
    case SPW_LT: return bool_of(compare(a, b) < 0);
    case SPW_LE: return bool_of(compare(a, b) <= 0);
    case SPW_NOT: return bool_of(!a->v.b);
    case SPW_CAST: return cast(a, code->imm);
    case SPW_NORM_FLOAT: return normal(a);
    case SPW_YEAR: {
      scalar s = *a;
      s.v.i32 = year(a->v.i32);
      return s;
    }
    case SPW_STARTS_WITH:
    case SPW_ENDS_WITH:
    case SPW_CONTAINS: return bool_of(string_test(code->op, &a->v.str, &b->v.str));
    default: return decimals(code, dst_type, a, b);
  }
}
