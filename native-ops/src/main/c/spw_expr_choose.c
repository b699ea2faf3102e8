/* MOV, SELECT, COALESCE: copies of whole values, so only their width matters. */
#include "spw_expr_step.h"

#define SPW_BY_WIDTH(ACTION)              \
  switch (spw_width(s->type)) {           \
    case 1: ACTION(uint8_t); break;       \
    case 2: ACTION(spw_i16); break;       \
    case 4: ACTION(spw_i32); break;       \
    case 8: ACTION(spw_i64); break;       \
    default: ACTION(spw_i128); break;     \
  }

static int move(const spw_step *s, const spw_operand *from) {
  if (!from->constant) {
    if (s->values != from->values) {
      memcpy(s->values, from->values, (size_t)s->rows * (size_t)spw_width(s->type));
    }
    return spw_nulls_one(s, from);
  }
#define SPW_BROADCAST(T)                                     \
  do {                                                       \
    const T one = *(const T *)from->values;                  \
    T *d = s->values;                                        \
    for (int32_t i = 0; i < s->rows; i++) d[i] = one;        \
  } while (0)
  SPW_BY_WIDTH(SPW_BROADCAST)
  return spw_nulls_one(s, from);
}

/* Values and nulls in one loop: the destination may be any of the three operands. */
#define SPW_SELECT_LOOP(T)                                                 \
  do {                                                                     \
    const T *b = s->b.values, *c = s->c.values;                            \
    T *d = s->values;                                                      \
    for (int32_t i = 0; i < s->rows; i++) {                                \
      const size_t j = (size_t)i;                                          \
      const int yes = (a[j * sa] != 0) & (an[j * nsa] == 0);               \
      const T value = yes ? b[j * sb] : c[j * sc];                         \
      const uint8_t null = yes ? bn[j * nsb] : cn[j * nsc];                \
      d[i] = value;                                                        \
      dn[i] = null;                                                        \
      any |= null;                                                         \
    }                                                                      \
  } while (0)

/* Where neither choice has a null: both are loaded, so that the loop has no branch. */
#define SPW_PICK_LOOP(T, SB, SC)                                           \
  do {                                                                     \
    const T *b = s->b.values, *c = s->c.values;                            \
    T *d = s->values;                                                      \
    SPW_ELEMENTWISE                                                        \
    for (int32_t i = 0; i < rows; i++) {                                   \
      const T yes = b[(size_t)i * (SB)], no = c[(size_t)i * (SC)];         \
      d[i] = a[i] != 0 ? yes : no;                                         \
    }                                                                      \
  } while (0)
#define SPW_PICK(T)                                       \
  do {                                                    \
    if (sb && sc) SPW_PICK_LOOP(T, 1, 1);                 \
    else if (sb) SPW_PICK_LOOP(T, 1, 0);                  \
    else if (sc) SPW_PICK_LOOP(T, 0, 1);                  \
    else SPW_PICK_LOOP(T, 0, 0);                          \
  } while (0)

static int select_without_nulls(const spw_step *s) {
  const uint8_t *a = s->a.values;
  const int32_t rows = s->rows;
  const int sb = !s->b.constant, sc = !s->c.constant;
  SPW_BY_WIDTH(SPW_PICK)
  return spw_fill_nulls(s, 0);
}

static int select_between(const spw_step *s) {
  if (!s->a.constant && !s->a.nullable && !s->b.nullable && !s->c.nullable) return select_without_nulls(s);
  const uint8_t *a = s->a.values;
  const size_t sa = spw_stride(&s->a), sb = spw_stride(&s->b), sc = spw_stride(&s->c);
  const size_t nsa = spw_null_stride(&s->a), nsb = spw_null_stride(&s->b), nsc = spw_null_stride(&s->c);
  const uint8_t *an = spw_nulls(&s->a), *bn = spw_nulls(&s->b), *cn = spw_nulls(&s->c);
  uint8_t *dn = s->nulls;
  uint8_t any = 0;
  SPW_BY_WIDTH(SPW_SELECT_LOOP)
  return any;
}

#define SPW_COALESCE_LOOP(T)                                               \
  do {                                                                     \
    const T *a = s->a.values, *b = s->b.values;                            \
    T *d = s->values;                                                      \
    for (int32_t i = 0; i < s->rows; i++) {                                \
      const size_t j = (size_t)i;                                          \
      const uint8_t first = an[j];                                         \
      const T value = first ? b[j * sb] : a[j];                            \
      const uint8_t null = first & bn[j * nsb];                            \
      d[i] = value;                                                        \
      dn[i] = null;                                                        \
      any |= null;                                                         \
    }                                                                      \
  } while (0)

static int coalesce(const spw_step *s) {
  if (!s->a.nullable) return move(s, &s->a);
  if (s->a.constant) return move(s, &s->b);
  const size_t sb = spw_stride(&s->b), nsb = spw_null_stride(&s->b);
  const uint8_t *an = s->a.nulls, *bn = spw_nulls(&s->b);
  uint8_t *dn = s->nulls;
  uint8_t any = 0;
  SPW_BY_WIDTH(SPW_COALESCE_LOOP)
  return any;
}

int SPW_FN(spw_step_choose)(const spw_step *s) {
  switch (s->op) {
    case SPW_MOV: return move(s, &s->a);
    case SPW_SELECT: return select_between(s);
    default: return coalesce(s);
  }
}
