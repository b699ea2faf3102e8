/* ADD, SUB, MUL, DIV, NEG. Integers wrap: computed unsigned. */
#include "spw_expr_step.h"

#define SPW_ARITH(T, U)                                          \
  switch (s->op) {                                               \
    case SPW_ADD: SPW_BINARY(T, T, T, (T)((U)x + (U)y)); break;  \
    case SPW_SUB: SPW_BINARY(T, T, T, (T)((U)x - (U)y)); break;  \
    case SPW_MUL: SPW_BINARY(T, T, T, (T)((U)x * (U)y)); break;  \
    default: break;                                              \
  }

static int divide(const spw_step *s) {
  int nulls = spw_nulls_two(s, &s->a, &s->b);
  const spw_f64 *b = s->b.values;
  uint8_t *out = s->nulls;
  /* The nulls first: the values may be written over the divisor. */
  if (s->b.constant) {
    if (b[0] == 0) nulls = spw_fill_nulls(s, 1);
  } else {
    uint8_t any = 0;
    for (int32_t i = 0; i < s->rows; i++) {
      uint8_t zero = b[i] == 0;
      out[i] |= zero;
      any |= zero;
    }
    nulls |= any;
  }
  /* The null row's value is undefined, so 1 does for its divisor. */
  SPW_BINARY(spw_f64, spw_f64, spw_f64, x / (y == 0 ? 1.0 : y));
  return nulls;
}

static int negate(const spw_step *s) {
  switch (s->type) {
    case SPW_I32: SPW_UNARY(spw_i32, spw_i32, (spw_i32)(0u - (uint32_t)x)); break;
    case SPW_I64: SPW_UNARY(spw_i64, spw_i64, (spw_i64)(0u - (uint64_t)x)); break;
    case SPW_F32: SPW_UNARY(spw_f32, spw_f32, -x); break;
    case SPW_F64: SPW_UNARY(spw_f64, spw_f64, -x); break;
    default: SPW_UNARY(spw_i128, spw_i128, (spw_i128)(0u - (spw_uwide)x)); break;
  }
  return spw_nulls_one(s, &s->a);
}

int SPW_FN(spw_step_arith)(const spw_step *s) {
  if (s->op == SPW_DIV) return divide(s);
  if (s->op == SPW_NEG) return negate(s);
  switch (s->type) {
    case SPW_I32: SPW_ARITH(spw_i32, uint32_t) break;
    case SPW_I64: SPW_ARITH(spw_i64, uint64_t) break;
    case SPW_F32: SPW_ARITH(spw_f32, float) break;
    default: SPW_ARITH(spw_f64, double) break;
  }
  return spw_nulls_two(s, &s->a, &s->b);
}
