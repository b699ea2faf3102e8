/*
 * One instruction over one chunk of rows, and the loops that its families share.
 *
 * A destination may be one of the operands, never a part of one: loops read element i before they
 * write element i, and nothing else.
 */
#ifndef SPW_EXPR_STEP_H
#define SPW_EXPR_STEP_H

#include "spw_base.h"

typedef struct spw_operand {
  const void *values;
  const uint8_t *nulls; /* never followed unless nullable */
  int32_t type;
  uint8_t constant; /* one value for all rows */
  uint8_t nullable; /* at least one null among the rows of this chunk */
} spw_operand;

/* Where the bytes of strings that operations make go. */
typedef struct spw_heap {
  uint8_t *next;
  uint8_t *end;
  uint64_t need; /* out: bytes that a step found no room for */
} spw_heap;

typedef struct spw_step {
  spw_operand a, b, c;
  void *values;
  uint8_t *nulls;
  int32_t dst_type;
  int32_t rows;
  int32_t op;
  int32_t type;
  int32_t imm;
  spw_heap *heap;
} spw_step;

/* What running a step came to, together. */
#define SPW_STEP_NULL 1   /* a null was written */
#define SPW_STEP_HOST 2   /* rows are marked SPW_HOST_ROW */
#define SPW_STEP_BYTES 4  /* nothing was written: the heap has no room, see its need */
#define SPW_STEP_LONG 8   /* a string would be longer than strings can be */

#ifdef SPW_SUFFIX
int SPW_FN(spw_step_arith)(const spw_step *s);
int SPW_FN(spw_step_decimal)(const spw_step *s);
int SPW_FN(spw_step_compare)(const spw_step *s);
int SPW_FN(spw_step_logic)(const spw_step *s);
int SPW_FN(spw_step_choose)(const spw_step *s);
int SPW_FN(spw_step_convert)(const spw_step *s);
int SPW_FN(spw_step_string)(const spw_step *s);
int SPW_FN(spw_step_math)(const spw_step *s);
int SPW_FN(spw_step_decimal_wide)(const spw_step *s);
int SPW_FN(spw_step_text)(const spw_step *s);
int SPW_FN(spw_step_make)(const spw_step *s);
int SPW_FN(spw_step_parse)(const spw_step *s);
int SPW_FN(spw_step_date)(const spw_step *s);
int SPW_FN(spw_step_hash)(const spw_step *s);
#endif

/* The null bytes of an operand and their stride, for loops that take both as they come. */
SPW_INLINE const uint8_t *spw_nulls(const spw_operand *x) { return x->nullable ? x->nulls : &spw_not_null; }
SPW_INLINE size_t spw_null_stride(const spw_operand *x) { return x->nullable && !x->constant; }
SPW_INLINE size_t spw_stride(const spw_operand *x) { return !x->constant; }

SPW_INLINE int spw_null_at(const spw_operand *x, int32_t row) {
  return spw_nulls(x)[(size_t)row * spw_null_stride(x)];
}

SPW_INLINE int spw_fill_nulls(const spw_step *s, int value) {
  memset(s->nulls, value, (size_t)s->rows);
  return value && s->rows > 0;
}

/* Null where the operand is null. */
SPW_INLINE int spw_nulls_one(const spw_step *s, const spw_operand *x) {
  if (!x->nullable) return spw_fill_nulls(s, 0);
  if (x->constant) return spw_fill_nulls(s, 1);
  if (s->nulls != x->nulls) memcpy(s->nulls, x->nulls, (size_t)s->rows);
  return 1;
}

/* Null where either operand is null. */
SPW_INLINE int spw_nulls_two(const spw_step *s, const spw_operand *x, const spw_operand *y) {
  if (!x->nullable) return spw_nulls_one(s, y);
  if (!y->nullable || x->constant) return spw_nulls_one(s, x);
  if (y->constant) return spw_nulls_one(s, y);
  uint8_t *nulls = s->nulls;
  const uint8_t *xn = x->nulls, *yn = y->nulls;
  SPW_ELEMENTWISE
  for (int32_t i = 0; i < s->rows; i++) nulls[i] = xn[i] | yn[i];
  return 1;
}

/* values[i] = EXPR over x (of type A, from operand a): a vector, or one value for all. */
#define SPW_UNARY(D, A, EXPR)                                   \
  do {                                                          \
    D *pd = s->values;                                  \
    const A *pa = s->a.values;                                  \
    const int32_t rows_ = s->rows;                              \
    if (!s->a.constant) {                                       \
      SPW_ELEMENTWISE                                           \
      for (int32_t i = 0; i < rows_; i++) {                     \
        const A x = pa[i];                                      \
        pd[i] = (EXPR);                                 \
      }                                                         \
    } else {                                                    \
      const A x = pa[0];                                        \
      const D one = (EXPR);                                     \
      for (int32_t i = 0; i < rows_; i++) pd[i] = one;  \
    }                                                           \
  } while (0)

/* values[i] = EXPR over x (type A, operand a) and y (type B, operand b). */
#define SPW_BINARY(D, A, B, EXPR)                               \
  do {                                                          \
    D *pd = s->values;                                          \
    const A *pa = s->a.values;                                  \
    const B *pb = s->b.values;                                  \
    const int32_t rows_ = s->rows;                              \
    if (!s->a.constant && !s->b.constant) {                     \
      SPW_ELEMENTWISE                                           \
      for (int32_t i = 0; i < rows_; i++) {                     \
        const A x = pa[i];                                      \
        const B y = pb[i];                                      \
        pd[i] = (EXPR);                                         \
      }                                                         \
    } else if (!s->a.constant) {                                \
      const B y = pb[0];                                        \
      SPW_ELEMENTWISE                                           \
      for (int32_t i = 0; i < rows_; i++) {                     \
        const A x = pa[i];                                      \
        pd[i] = (EXPR);                                         \
      }                                                         \
    } else if (!s->b.constant) {                                \
      const A x = pa[0];                                        \
      SPW_ELEMENTWISE                                           \
      for (int32_t i = 0; i < rows_; i++) {                     \
        const B y = pb[i];                                      \
        pd[i] = (EXPR);                                         \
      }                                                         \
    } else {                                                    \
      const A x = pa[0];                                        \
      const B y = pb[0];                                        \
      const D one = (EXPR);                                     \
      for (int32_t i = 0; i < rows_; i++) pd[i] = one;          \
    }                                                           \
  } while (0)

#endif
