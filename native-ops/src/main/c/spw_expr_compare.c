/* EQ, NE, LT, LE, EQ_NULL_SAFE over every type. */
#include "spw_expr_step.h"

#define SPW_FLOAT_EQ ((x == y) | ((x != x) & (y != y)))

#define SPW_COMPARE(T, EQUAL, LESS, NOT_ABOVE)                                    \
  switch (s->op) {                                                                \
    case SPW_EQ: SPW_BINARY(uint8_t, T, T, (uint8_t)(EQUAL)); break;              \
    case SPW_NE: SPW_BINARY(uint8_t, T, T, (uint8_t)(!(EQUAL))); break;           \
    case SPW_LT: SPW_BINARY(uint8_t, T, T, (uint8_t)(LESS)); break;               \
    default: SPW_BINARY(uint8_t, T, T, (uint8_t)(NOT_ABOVE)); break;              \
  }
#define SPW_COMPARE_INTEGER(T) SPW_COMPARE(T, x == y, x < y, x <= y)
#define SPW_COMPARE_FLOAT(T) \
  SPW_COMPARE(T, SPW_FLOAT_EQ, (x < y) | ((y != y) & (x == x)), (x <= y) | (y != y))

static uint8_t string_result(int op, const spw_string *x, const spw_string *y) {
  switch (op) {
    case SPW_EQ: return (uint8_t)spw_string_equal(x, 0, y, 0);
    case SPW_NE: return (uint8_t)!spw_string_equal(x, 0, y, 0);
    case SPW_LT: return spw_string_compare(x, 0, y, 0) < 0;
    default: return spw_string_compare(x, 0, y, 0) <= 0;
  }
}

/* A null row's string must not be followed, so the nulls decide first. */
static int compare_strings(const spw_step *s) {
  const spw_string *a = s->a.values, *b = s->b.values;
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  uint8_t *d = s->values;
  int nulls = spw_nulls_two(s, &s->a, &s->b);
  for (int32_t i = 0; i < s->rows; i++) {
    d[i] = s->nulls[i] ? 0 : string_result(s->op, &a[(size_t)i * sa], &b[(size_t)i * sb]);
  }
  return nulls;
}

#define SPW_NULL_SAFE_LOOP(T, EQUAL)                                            \
  do {                                                                          \
    const T *a = s->a.values, *b = s->b.values;                                 \
    for (int32_t i = 0; i < s->rows; i++) {                                     \
      const int xn = an[(size_t)i * nsa], yn = bn[(size_t)i * nsb];             \
      uint8_t r = (uint8_t)(xn & yn);                                           \
      if (!(xn | yn)) {                                                         \
        const T x = a[(size_t)i * sa], y = b[(size_t)i * sb];                   \
        r = (uint8_t)(EQUAL);                                                   \
      }                                                                         \
      d[i] = r;                                                                 \
    }                                                                           \
  } while (0)

static int equal_null_safe(const spw_step *s) {
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  const size_t nsa = spw_null_stride(&s->a), nsb = spw_null_stride(&s->b);
  const uint8_t *an = spw_nulls(&s->a), *bn = spw_nulls(&s->b);
  uint8_t *d = s->values;
  switch (s->type) {
    case SPW_BOOL:
    case SPW_I8: SPW_NULL_SAFE_LOOP(spw_i8, x == y); break;
    case SPW_I16: SPW_NULL_SAFE_LOOP(spw_i16, x == y); break;
    case SPW_I32: SPW_NULL_SAFE_LOOP(spw_i32, x == y); break;
    case SPW_I64: SPW_NULL_SAFE_LOOP(spw_i64, x == y); break;
    case SPW_F32: SPW_NULL_SAFE_LOOP(spw_f32, SPW_FLOAT_EQ); break;
    case SPW_F64: SPW_NULL_SAFE_LOOP(spw_f64, SPW_FLOAT_EQ); break;
    case SPW_I128: SPW_NULL_SAFE_LOOP(spw_i128, x == y); break;
    default: SPW_NULL_SAFE_LOOP(spw_string, spw_string_equal(&x, 0, &y, 0)); break;
  }
  /* After the loop: the nulls may be those of an operand. */
  return spw_fill_nulls(s, 0);
}

int SPW_FN(spw_step_compare)(const spw_step *s) {
  if (s->op == SPW_EQ_NULL_SAFE) return equal_null_safe(s);
  switch (s->type) {
    case SPW_BOOL: SPW_COMPARE_INTEGER(uint8_t) break;
    case SPW_I8: SPW_COMPARE_INTEGER(spw_i8) break;
    case SPW_I16: SPW_COMPARE_INTEGER(spw_i16) break;
    case SPW_I32: SPW_COMPARE_INTEGER(spw_i32) break;
    case SPW_I64: SPW_COMPARE_INTEGER(spw_i64) break;
    case SPW_F32: SPW_COMPARE_FLOAT(spw_f32) break;
    case SPW_F64: SPW_COMPARE_FLOAT(spw_f64) break;
    case SPW_I128: SPW_COMPARE_INTEGER(spw_i128) break;
    default: return compare_strings(s);
  }
  return spw_nulls_two(s, &s->a, &s->b);
}
