/*
 * What the fuzzers share: a seeded random source, buffers between canaries, the kernels by level.
 * Every fuzz_ function is one case that is a pure function of the random source's state; a failed
 * check prints seed and case and aborts.
 */
#ifndef SPW_FUZZ_H
#define SPW_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "spw_agg.h"
#include "spw_agg_emit.h"
#include "spw_columns.h"
#include "spw_expr.h"
#include "spw_index.h"
#include "spw_level.h"
#include "spw_page.h"
#include "spw_unsafe_row.h"

typedef struct kernels {
  const char *name;
  int64_t (*eval)(spw_eval *);
  int64_t (*agg_add)(spw_agg *, int64_t);
  int64_t (*agg_merge_page)(spw_agg *, uint64_t, int64_t);
  int64_t (*agg_init_group)(spw_agg *);
  int64_t (*index_build)(spw_partition *, int32_t);
  int64_t (*page_init)(uint64_t, uint32_t);
  int64_t (*page_check)(spw_agg *, uint64_t, uint32_t);
  int64_t (*agg_emit)(spw_emit *);
  int64_t (*rows_to_columns)(spw_row_batch *);
  int64_t (*columns_to_rows)(spw_row_batch *, int32_t);
  int64_t (*select)(uint64_t, uint64_t, int32_t, uint64_t);
  int64_t (*take)(uint64_t, uint64_t, int32_t, uint64_t, int32_t);
  int64_t (*dictionary)(int32_t, uint64_t, int32_t, uint64_t, uint64_t, int32_t, uint64_t);
  int64_t (*strings)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int32_t, uint64_t);
  int64_t (*decimals)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int32_t, uint64_t);
  int64_t (*widen)(int32_t, uint64_t, int32_t, uint64_t);
} kernels;

/* ---- randomness ---- */

typedef struct rng {
  uint64_t state;
} rng;
uint64_t rng_next(rng *r);
/* In [0, bound). */
uint64_t rng_below(rng *r, uint64_t bound);
static inline int rng_one_in(rng *r, uint64_t n) { return rng_below(r, n) == 0; }

/* ---- failing ---- */

extern const char *fuzz_case; /* what to say when a check fails */
#define CHECK(condition)                                                                         \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      fprintf(stderr, "FAILED %s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, fuzz_case);     \
      abort();                                                                                   \
    }                                                                                            \
  } while (0)

/* ---- memory: everything that a case takes is between canaries and given back by arena_free ---- */

typedef struct arena {
  struct arena_block *blocks;
} arena;
void *arena_take(arena *a, size_t bytes); /* random contents, 16-byte aligned */
uint64_t arena_address(arena *a, size_t bytes);
void arena_check(const arena *a); /* aborts if a canary has changed */
void arena_free(arena *a);        /* checks, then frees */

/* ---- values ---- */

/* Fills a column's values with the type's extremes and random ones; a null row holds rubbish. */
enum null_mode { NULLS_ABSENT, NULLS_NONE, NULLS_SOME, NULLS_ALL };
void fuzz_column(rng *r, arena *a, spw_column *column, int32_t type, int32_t kind, int32_t rows, int null_mode);
/* A string in its own exactly sized memory. */
spw_str fuzz_string(rng *r, arena *a, uint32_t max_length);
spw_str fuzz_string_of(arena *a, const char *bytes, uint32_t length);

static inline const void *value_at(const spw_column *c, int64_t row) {
  return (const uint8_t *)spw_at(c->values) + (size_t)(c->kind == SPW_CONSTANT ? 0 : row) * (size_t)spw_width(c->type);
}
static inline int null_at(const spw_column *c, int64_t row) {
  return c->nulls != 0 && ((const uint8_t *)spw_at(c->nulls))[c->kind == SPW_CONSTANT ? 0 : row] != 0;
}
static inline spw_str str_value(const void *at) {
  spw_str s;
  memcpy(&s, at, sizeof s);
  return s;
}
static inline const uint8_t *str_bytes(const spw_str *s) {
  return s->length <= 12 ? (const uint8_t *)s + 4 : (const uint8_t *)spw_at(s->tail.address);
}
static inline int str_order(const spw_str *a, const spw_str *b) {
  const uint8_t *x = str_bytes(a), *y = str_bytes(b);
  for (uint32_t i = 0; i < a->length && i < b->length; i++) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return a->length < b->length ? -1 : a->length > b->length;
}

/* ---- numbers of 512 bits, so that the oracles need none of the kernels' overflow rules ---- */

#define BIG_LIMBS 16
typedef struct big {
  uint32_t limb[BIG_LIMBS]; /* magnitude, little-endian */
  int negative;
} big;
big big_of(spw_wide value);
big big_add(big a, big b);
big big_mul(big a, big b);
big big_power_of_ten(int32_t exponent);
int big_compare_magnitude(const big *a, const big *b);
uint32_t big_divide_small(big *a, uint32_t divisor); /* returns the remainder */
big big_divide(big *a, big divisor);              /* of magnitudes; returns the remainder */
int big_to_wide(const big *a, spw_wide *out);        /* 0 if it does not fit */

/* ---- the fuzzers ---- */

void fuzz_expr(rng *r, const kernels *levels, int nlevels);
void fuzz_expr_more(rng *r, const kernels *levels, int nlevels);
void fuzz_agg(rng *r, const kernels *levels, int nlevels);
void fuzz_columns(rng *r, const kernels *levels, int nlevels);
void fuzz_exchange(rng *r, const kernels *levels, int nlevels);
void fuzz_unsafe_rows(rng *r, const kernels *levels, int nlevels);

#endif
