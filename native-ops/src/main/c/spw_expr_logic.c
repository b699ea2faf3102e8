/* AND, OR (three-valued), NOT, IS_NULL, IS_NOT_NULL. */
#include "spw_expr_step.h"

/* With is_or the same rule as AND, with true and false exchanged: one operand decides alone. */
SPW_INLINE int three_valued(const spw_step *s, int is_or, size_t sa, size_t sb, size_t nsa, size_t nsb) {
  const uint8_t *a = s->a.values, *b = s->b.values;
  const uint8_t *an = spw_nulls(&s->a), *bn = spw_nulls(&s->b);
  uint8_t *d = s->values, *dn = s->nulls;
  uint8_t any = 0;
  SPW_ELEMENTWISE
  for (int32_t i = 0; i < s->rows; i++) {
    const size_t j = (size_t)i;
    const uint8_t xn = an[j * nsa], yn = bn[j * nsb];
    const uint8_t x = (a[j * sa] != 0) == is_or, y = (b[j * sb] != 0) == is_or;
    const uint8_t decided = (x & (xn ^ 1)) | (y & (yn ^ 1));
    const uint8_t unknown = (xn | yn) & (decided ^ 1);
    d[i] = (uint8_t)(decided == is_or);
    dn[i] = unknown;
    any |= unknown;
  }
  return any;
}

static int and_or(const spw_step *s) {
  const int is_or = s->op == SPW_OR;
  if (!s->a.nullable && !s->b.nullable) {
    if (is_or) SPW_BINARY(uint8_t, uint8_t, uint8_t, x | y);
    else SPW_BINARY(uint8_t, uint8_t, uint8_t, x & y);
    return spw_fill_nulls(s, 0);
  }
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b);
  const size_t nsa = spw_null_stride(&s->a), nsb = spw_null_stride(&s->b);
  if (sa & sb & nsa & nsb) return is_or ? three_valued(s, 1, 1, 1, 1, 1) : three_valued(s, 0, 1, 1, 1, 1);
  return is_or ? three_valued(s, 1, sa, sb, nsa, nsb) : three_valued(s, 0, sa, sb, nsa, nsb);
}

static int null_test(const spw_step *s) {
  const uint8_t expected = s->op == SPW_IS_NULL;
  uint8_t *d = s->values;
  if (!s->a.nullable || s->a.constant) {
    memset(d, s->a.nullable == expected, (size_t)s->rows);
  } else {
    const uint8_t *an = s->a.nulls;
    SPW_ELEMENTWISE
    for (int32_t i = 0; i < s->rows; i++) d[i] = an[i] == expected;
  }
  return spw_fill_nulls(s, 0);
}

int SPW_FN(spw_step_logic)(const spw_step *s) {
  switch (s->op) {
    case SPW_AND:
    case SPW_OR: return and_or(s);
    case SPW_NOT: SPW_UNARY(uint8_t, uint8_t, x == 0); return spw_nulls_one(s, &s->a);
    default: return null_test(s);
  }
}
