/* The SPW_DEC_ family: unscaled decimals of 64 or 128 bits, null on overflow. */
#include "spw_expr_step.h"

typedef struct bounds {
  spw_wide low, high; /* both excluded */
} bounds;

/* |value| < 10^digits. */
SPW_INLINE bounds digits_bound(int32_t digits) {
  spw_wide power = spw_power_of_ten(digits);
  bounds b = {-power, power};
  return b;
}

SPW_INLINE int apply(int op, spw_wide x, spw_wide y, spw_wide *out) {
  switch (op) {
    case SPW_DEC_ADD: return spw_wide_add(x, y, out);
    case SPW_DEC_SUB: return spw_wide_sub(x, y, out);
    default: return spw_wide_mul(x, y, out);
  }
}

/* One loop for a combination of types and an operation that the compiler sees as a constant. */
#define SPW_DEC_BINARY_LOOP(OP, D, A, B)                          \
  do {                                                            \
    D *d = s->values;                                             \
    const A *a = s->a.values;                                     \
    const B *b = s->b.values;                                     \
    for (int32_t i = 0; i < s->rows; i++) {                       \
      spw_wide r = 0;                                             \
      int bad = an[(size_t)i * nsa] | bn[(size_t)i * nsb];        \
      const spw_wide x = a[(size_t)i * sa], y = b[(size_t)i * sb]; \
      bad |= apply(OP, x, y, &r);                                 \
      bad |= (r >= limit.high) | (r <= limit.low);                \
      bad |= (spw_wide)(D)r != r;                                 \
      d[i] = (D)r;                                                \
      out_nulls[i] = (uint8_t)bad;                                \
      any |= bad;                                                 \
    }                                                             \
  } while (0)

#define SPW_DEC_BINARY_TYPES(OP)                                          \
  switch (combination) {                                                  \
    case 0: SPW_DEC_BINARY_LOOP(OP, spw_i64, spw_i64, spw_i64); break;    \
    case 1: SPW_DEC_BINARY_LOOP(OP, spw_i64, spw_i64, spw_i128); break;   \
    case 2: SPW_DEC_BINARY_LOOP(OP, spw_i64, spw_i128, spw_i64); break;   \
    case 3: SPW_DEC_BINARY_LOOP(OP, spw_i64, spw_i128, spw_i128); break;  \
    case 4: SPW_DEC_BINARY_LOOP(OP, spw_i128, spw_i64, spw_i64); break;   \
    case 5: SPW_DEC_BINARY_LOOP(OP, spw_i128, spw_i64, spw_i128); break;  \
    case 6: SPW_DEC_BINARY_LOOP(OP, spw_i128, spw_i128, spw_i64); break;  \
    default: SPW_DEC_BINARY_LOOP(OP, spw_i128, spw_i128, spw_i128); break; \
  }

static int binary(const spw_step *s) {
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  const size_t nsa = spw_null_stride(&s->a), nsb = spw_null_stride(&s->b);
  const uint8_t *an = spw_nulls(&s->a), *bn = spw_nulls(&s->b);
  uint8_t *out_nulls = s->nulls;
  const bounds limit = digits_bound(s->imm);
  const int combination =
      (s->dst_type == SPW_I128) * 4 + (s->a.type == SPW_I128) * 2 + (s->b.type == SPW_I128);
  int any = 0;
  switch (s->op) {
    case SPW_DEC_ADD: SPW_DEC_BINARY_TYPES(SPW_DEC_ADD) break;
    case SPW_DEC_SUB: SPW_DEC_BINARY_TYPES(SPW_DEC_SUB) break;
    default: SPW_DEC_BINARY_TYPES(SPW_DEC_MUL) break;
  }
  return any;
}

/* dst = a * factor, null outside the limit; factor 1 checks, or widens, or narrows. */
#define SPW_DEC_UNARY_LOOP(D, A)                              \
  do {                                                        \
    D *d = s->values;                                         \
    const A *a = s->a.values;                                 \
    for (int32_t i = 0; i < s->rows; i++) {                   \
      spw_wide r = a[(size_t)i * sa];                         \
      int bad = an[(size_t)i * nsa];                          \
      if (factor != 1 && spw_wide_mul(r, factor, &r)) bad = 1; \
      bad |= bounded & ((r >= limit.high) | (r <= limit.low)); \
      bad |= (spw_wide)(D)r != r;                             \
      d[i] = (D)r;                                            \
      out_nulls[i] = (uint8_t)bad;                            \
      any |= bad;                                             \
    }                                                         \
  } while (0)

static int unary(const spw_step *s) {
  const size_t sa = spw_stride(&s->a), nsa = spw_null_stride(&s->a);
  const uint8_t *an = spw_nulls(&s->a);
  uint8_t *out_nulls = s->nulls;
  const int bounded = s->op == SPW_DEC_CHECK;
  const bounds limit = digits_bound(s->imm);
  const spw_wide factor = bounded ? 1 : spw_power_of_ten(s->imm);
  int any = 0;
  if (s->dst_type == SPW_I64) {
    if (s->a.type == SPW_I64) SPW_DEC_UNARY_LOOP(spw_i64, spw_i64);
    else SPW_DEC_UNARY_LOOP(spw_i64, spw_i128);
  } else {
    if (s->a.type == SPW_I64) SPW_DEC_UNARY_LOOP(spw_i128, spw_i64);
    else SPW_DEC_UNARY_LOOP(spw_i128, spw_i128);
  }
  return any;
}

int SPW_FN(spw_step_decimal)(const spw_step *s) {
  return s->op == SPW_DEC_SCALE_UP || s->op == SPW_DEC_CHECK ? unary(s) : binary(s);
}
