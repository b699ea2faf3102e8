/* Decimals where digits are dropped: exact over as many bits as it takes, then rounded once. */
#include "spw_expr_step.h"
#include "spw_wide.h"

SPW_INLINE spw_wide decimal_at(const spw_operand *x, int32_t row) {
  const size_t at = (size_t)row * spw_stride(x);
  return x->type == SPW_I64 ? (spw_wide)((const spw_i64 *)x->values)[at] : ((const spw_i128 *)x->values)[at];
}

/* Writes a row; returns whether it is null, which it is too if the destination cannot hold it. */
SPW_INLINE int put(const spw_step *s, int32_t row, spw_wide value, int null) {
  if (s->dst_type == SPW_I64) {
    null |= (spw_wide)(int64_t)value != value;
    ((spw_i64 *)s->values)[row] = (int64_t)value;
  } else {
    ((spw_i128 *)s->values)[row] = value;
  }
  s->nulls[row] = (uint8_t)(null != 0);
  return null != 0;
}

/* A magnitude below 10^precision with its sign; 1 if it is not below. */
static int to_wide(const spw_long *n, int negative, int32_t precision, spw_wide *out) {
  const spw_uwide m = (spw_uwide)n->limb[1] << 64 | n->limb[0];
  if ((n->limb[2] | n->limb[3] | n->limb[4] | n->limb[5]) != 0 || m >= (spw_uwide)spw_power_of_ten(precision)) return 1;
  *out = negative ? -(spw_wide)m : (spw_wide)m;
  return 0;
}

/* ---- one decimal ---- */

static spw_wide rounded(spw_wide value, int32_t digits, int32_t mode) {
  const spw_uwide m = spw_magnitude(value);
  const int negative = value < 0;
  /* Behind 38 digits nothing is left, and less than one half was there. */
  const spw_uwide power = digits > SPW_MAX_DECIMAL_DIGITS ? 0 : (spw_uwide)spw_power_of_ten(digits);
  const spw_uwide q = power == 0 ? 0 : m / power, rest = power == 0 ? m : m % power;
  int up = 0;
  switch (mode) {
    case SPW_ROUND_HALF_UP: up = power != 0 && rest * 2 >= power; break;
    case SPW_ROUND_HALF_EVEN: up = power != 0 && (rest * 2 > power || (rest * 2 == power && (q & 1) != 0)); break;
    case SPW_ROUND_FLOOR: up = negative && rest != 0; break;
    case SPW_ROUND_CEILING: up = !negative && rest != 0; break;
    default: break;
  }
  const spw_uwide r = q + (spw_uwide)(up != 0);
  return (spw_wide)(negative ? -r : r);
}

static int down(const spw_step *s) {
  const int32_t digits = s->imm & 255, mode = s->imm >> 8;
  int any = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const int null = spw_null_at(&s->a, i);
    any |= put(s, i, null ? 0 : rounded(decimal_at(&s->a, i), digits, mode), null);
  }
  return any;
}

static int low(const spw_step *s) {
  if (s->a.type == SPW_I64) SPW_UNARY(spw_i64, spw_i64, x);
  else SPW_UNARY(spw_i64, spw_i128, (spw_i64)x);
  return spw_nulls_one(s, &s->a);
}

/* What a double holds exactly is divided, which rounds correctly; the rest is the host's. */
static int to_f64(const spw_step *s) {
  const spw_f64 *powers = s->b.values;
  spw_f64 *d = s->values;
  int result = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    const spw_wide x = decimal_at(&s->a, i);
    const double power = powers[(size_t)i * spw_stride(&s->b)];
    const int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i);
    const int exact = power == 1 || spw_magnitude(x) <= (spw_uwide)1 << 53;
    d[i] = (double)x / power;
    s->nulls[i] = (uint8_t)(null ? 1 : exact ? 0 : SPW_HOST_ROW);
    result |= null ? SPW_STEP_NULL : exact ? 0 : SPW_STEP_HOST;
  }
  return result;
}

/* ---- two decimals ---- */

static int product(int32_t imm, spw_wide x, spw_wide y, spw_wide *out) {
  const int32_t precision = imm & 63, natural = imm >> 6 & 127, scale = imm >> 13;
  spw_long n = spw_long_product(spw_magnitude(x), spw_magnitude(y));
  spw_long_round(&n, natural - scale);
  return to_wide(&n, (x < 0) != (y < 0), precision, out);
}

static int quotient(int32_t imm, spw_wide x, spw_wide y, spw_wide *out) {
  const int32_t precision = imm & 63, up = imm >> 6 & 127, scale = imm >> 13;
  const spw_uwide divisor = spw_magnitude(y);
  if (divisor == 0) return 1;
  spw_long n = spw_long_of(spw_magnitude(x));
  spw_long_mul_power(&n, up);
  const spw_uwide rest = spw_long_div_wide(&n, divisor);
  /* The first digit that is dropped decides alone: of the 38, or the one behind them. */
  if (scale < SPW_MAX_DECIMAL_DIGITS) {
    spw_long_round(&n, SPW_MAX_DECIMAL_DIGITS - scale);
  } else if (rest >= divisor - rest) {
    const spw_long one = {{1}};
    spw_long_add(&n, &one);
  }
  return to_wide(&n, (x < 0) != (y < 0), precision, out);
}

static int sum(int32_t imm, int subtract, spw_wide x, spw_wide y, spw_wide *out) {
  const int32_t precision = imm & 63, up_x = imm >> 6 & 63, up_y = imm >> 12 & 63, dropped = imm >> 18;
  spw_long a = spw_long_of(spw_magnitude(x)), b = spw_long_of(spw_magnitude(y));
  int negative = x < 0;
  spw_long_mul_power(&a, up_x);
  spw_long_mul_power(&b, up_y);
  if (negative == ((y < 0) != subtract)) {
    spw_long_add(&a, &b);
  } else if (spw_long_compare(&a, &b) >= 0) {
    spw_long_sub(&a, &b);
  } else {
    spw_long_sub(&b, &a);
    a = b;
    negative = !negative;
  }
  spw_long_round(&a, dropped);
  return to_wide(&a, negative, precision, out);
}

static int binary(const spw_step *s) {
  int any = 0;
  for (int32_t i = 0; i < s->rows; i++) {
    int null = spw_null_at(&s->a, i) | spw_null_at(&s->b, i);
    spw_wide r = 0;
    if (!null) {
      const spw_wide x = decimal_at(&s->a, i), y = decimal_at(&s->b, i);
      switch (s->op) {
        case SPW_DEC_MUL_WIDE: null = product(s->imm, x, y, &r); break;
        case SPW_DEC_DIV: null = quotient(s->imm, x, y, &r); break;
        default: null = sum(s->imm, s->op == SPW_DEC_SUB_WIDE, x, y, &r); break;
      }
    }
    any |= put(s, i, r, null);
  }
  return any;
}

int SPW_FN(spw_step_decimal_wide)(const spw_step *s) {
  switch (s->op) {
    case SPW_DEC_DOWN: return down(s);
    case SPW_DEC_LOW: return low(s);
    case SPW_DEC_TO_F64: return to_f64(s);
    default: return binary(s);
  }
}
