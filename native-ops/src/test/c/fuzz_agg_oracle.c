/* Aggregation as plainly as can be: a list of groups, searched from the start. */
#include <math.h>

#include "fuzz_agg.h"

int agg_has_pair(int op) {
  return op == SPW_SUM_DEC || op == SPW_AVG_DEC || op == SPW_AVG_F64 || op == SPW_FIRST || op == SPW_LAST ||
         op == SPW_MOMENTS;
}

static int32_t state_bytes(const spw_agg_fn *f) {
  switch (f->op) {
    case SPW_COUNT: return 8;
    case SPW_SUM_DEC: return 24;
    case SPW_AVG_DEC: return 32;
    case SPW_MOMENTS: return 24;
    case SPW_FIRST:
    case SPW_LAST:
    case SPW_MIN:
    case SPW_MAX: return spw_width(f->type) == 16 ? 24 : 16;
    default: return 16;
  }
}

static int32_t input_type(rng *r, int op) {
  static const int32_t integers[] = {SPW_I8, SPW_I16, SPW_I32, SPW_I64, SPW_F32, SPW_F64};
  switch (op) {
    case SPW_SUM_I64: return integers[rng_below(r, 4)];
    case SPW_SUM_F64: return integers[4 + rng_below(r, 2)];
    case SPW_BITS_AND:
    case SPW_BITS_OR:
    case SPW_BITS_XOR: return integers[rng_below(r, 4)];
    case SPW_MOMENTS: return SPW_F64;
    case SPW_AVG_F64: return integers[rng_below(r, 6)];
    case SPW_SUM_DEC:
    case SPW_AVG_DEC: return rng_one_in(r, 2) ? SPW_I64 : SPW_I128;
    default: return rng_one_in(r, 3) ? SPW_STR : (int32_t)(1 + rng_below(r, 9));
  }
}

/* Values whose sums do not depend on the order of adding: reals that add exactly, decimals that
 * either never overflow or only grow. */
static void tame(rng *r, spw_column *column, int32_t rows, int op) {
  /* Which of two NaNs a product is, the compiler chooses; moments have both kinds. */
  const int huge = rng_one_in(r, 3), special = rng_one_in(r, 10) && op != SPW_MOMENTS;
  const int32_t n = column->kind == SPW_CONSTANT ? 1 : rows;
  for (int32_t i = 0; i < n; i++) {
    void *at = (uint8_t *)spw_at(column->values) + (size_t)i * (size_t)spw_width(column->type);
    double d = ((double)rng_below(r, 4001) - 2000) * 0.25;
    if (special && rng_one_in(r, 20)) d = rng_one_in(r, 2) ? (double)NAN : (double)INFINITY;
    const float f = (float)d;
    spw_wide w = (spw_wide)rng_below(r, 2000001) - 1000000;
    if (huge) w = (spw_wide)(rng_next(r) >> 1);
    if (huge && column->type == SPW_I128) w = w * 1000000000 * 1000000000 * 10;
    if (column->type == SPW_F64) memcpy(at, &d, 8);
    else if (column->type == SPW_F32) memcpy(at, &f, 4);
    else if (op == SPW_SUM_DEC || op == SPW_AVG_DEC) memcpy(at, &w, (size_t)spw_width(column->type));
    else if (op == SPW_AVG_F64 && column->type == SPW_I64) *(spw_i64 *)at %= 1000000;
  }
}

static void grow_strings(rng *r, agg_case *c, spw_column *column) {
  const uint32_t longest = (uint32_t)(1 + rng_below(r, 200));
  for (int32_t i = 0; i < (column->kind == SPW_CONSTANT ? 1 : c->rows); i++) {
    if (null_at(column, i)) continue;
    const spw_str s = fuzz_string(r, &c->memory, longest);
    memcpy((uint8_t *)spw_at(column->values) + (size_t)i * 16, &s, 16);
  }
}

/* A key column draws from few values, so that groups repeat. */
static void make_key(rng *r, agg_case *c, int k) {
  spw_column pool;
  const int32_t entries = (int32_t)(1 + rng_below(r, c->nkeys == 1 ? 700 : 9));
  const int32_t type = (int32_t)(1 + rng_below(r, 9));
  const size_t width = (size_t)spw_width(type);
  fuzz_column(r, &c->memory, &pool, type, SPW_VECTOR, entries, (int)rng_below(r, 4));
  fuzz_column(r, &c->memory, &c->keys[k], type, rng_one_in(r, 10) ? SPW_CONSTANT : SPW_VECTOR, c->rows,
              pool.nulls == 0 ? NULLS_ABSENT : NULLS_NONE);
  spw_column *key = &c->keys[k];
  for (int32_t i = 0; i < (key->kind == SPW_CONSTANT ? 1 : c->rows); i++) {
    const int64_t from = (int64_t)rng_below(r, (uint64_t)entries);
    memcpy((uint8_t *)spw_at(key->values) + (size_t)i * width, value_at(&pool, from), width);
    if (key->nulls != 0) ((uint8_t *)spw_at(key->nulls))[i] = (uint8_t)null_at(&pool, from);
  }
}

static void make_function(rng *r, agg_case *c, int i, int32_t *offset, int *merge_column) {
  spw_agg_fn *f = &c->fns[i];
  memset(f, 0, sizeof *f);
  f->op = (int32_t)(1 + rng_below(r, 14));
  f->type = input_type(r, f->op);
  f->state_offset = *offset;
  *offset += state_bytes(f) + (rng_one_in(r, 4) ? 8 : 0);
  f->input = f->op == SPW_COUNT && rng_one_in(r, 2) ? -1 : i;
  f->input2 = f->input3 = -1;
  f->precision = (int32_t)(19 + rng_below(r, 20));
  if (f->type == SPW_I64 && rng_one_in(r, 2)) f->precision = (int32_t)(10 + rng_below(r, 9));
  f->out_precision = (int32_t)(10 + rng_below(r, 29));
  f->scale_up = (int32_t)rng_below(r, 5);
  f->out_type = f->op == SPW_AVG_DEC && f->out_precision <= 18 ? SPW_I64 : SPW_I128;
  if (f->op == SPW_SUM_DEC && f->precision <= 18) f->out_type = SPW_I64;
  if (f->op == SPW_FIRST || f->op == SPW_LAST) f->precision = (int32_t)rng_below(r, 2);
  if (f->op == SPW_MOMENTS) {
    f->precision = (int32_t)rng_below(r, 4);
    f->out_scale = (int32_t)rng_below(r, 2);
  }
  spw_column *in = &c->inputs[i];
  fuzz_column(r, &c->memory, in, f->type, rng_one_in(r, 10) ? SPW_CONSTANT : SPW_VECTOR, c->rows,
              (int)rng_below(r, 4));
  if ((f->op >= SPW_SUM_F64 && f->op <= SPW_AVG_DEC) || f->op == SPW_MOMENTS) tame(r, in, c->rows, f->op);
  if (f->type == SPW_STR) grow_strings(r, c, in);
  c->partial_fns[i] = *f;
  if (f->op == SPW_AVG_DEC) c->partial_fns[i].out_type = f->precision <= 18 ? SPW_I64 : SPW_I128;
  c->merge_fns[i] = *f;
  c->merge_fns[i].input = (*merge_column)++;
  if (agg_has_pair(f->op)) c->merge_fns[i].input2 = (*merge_column)++;
  if (f->op == SPW_MOMENTS) c->merge_fns[i].input3 = (*merge_column)++;
  c->merge_fns[i].merge = 1;
}

void agg_make(rng *r, agg_case *c) {
  memset(c, 0, sizeof *c);
  c->nkeys = (int)rng_below(r, MAX_KEYS + 1);
  c->nfns = (int)rng_below(r, MAX_FNS + 1);
  c->rows = rng_one_in(r, 15) ? 0 : (int32_t)(1 + rng_below(r, rng_one_in(r, 4) ? 1500 : 200));
  int32_t offset = SPW_ROW_HEADER;
  for (int k = 0; k < c->nkeys; k++) {
    make_key(r, c, k);
    c->layout[k].type = c->keys[k].type;
    c->layout[k].offset = offset;
    offset += spw_width(c->keys[k].type) == 16 ? 16 : 8;
  }
  int merge_column = 0;
  for (int i = 0; i < c->nfns; i++) make_function(r, c, i, &offset, &merge_column);
  c->row_width = offset;
  c->groups = arena_take(&c->memory, sizeof(group) * MAX_GROUPS);
  if (c->nkeys == 0) {
    memset(&c->groups[0], 0, sizeof(group));
    c->ngroups = 1;
  }
}

/* ---- folding ---- */

static int order(int32_t type, const void *a, const void *b) {
  int64_t x = 0, y = 0;
  switch (type) {
    case SPW_STR: {
      const spw_str s = str_value(a), t = str_value(b);
      return str_order(&s, &t);
    }
    case SPW_I128: {
      spw_wide v, w;
      memcpy(&v, a, 16);
      memcpy(&w, b, 16);
      return v < w ? -1 : v > w;
    }
    case SPW_F32:
    case SPW_F64: {
      float f, g;
      double d, e;
      memcpy(&f, a, 4);
      memcpy(&g, b, 4);
      memcpy(&d, a, 8);
      memcpy(&e, b, 8);
      if (type == SPW_F32) d = (double)f, e = (double)g;
      if (isnan(d) || isnan(e)) return isnan(d) && isnan(e) ? 0 : isnan(d) ? 1 : -1;
      return d < e ? -1 : d > e;
    }
    default:
      memcpy(&x, a, (size_t)spw_width(type));
      memcpy(&y, b, (size_t)spw_width(type));
      if (type != SPW_BOOL) {
        const int shift = 64 - 8 * spw_width(type);
        x = (int64_t)((uint64_t)x << shift) >> shift;
        y = (int64_t)((uint64_t)y << shift) >> shift;
      }
      return x < y ? -1 : x > y;
  }
}

static void fold_value(const spw_agg_fn *f, fold *s, int32_t type, const void *at) {
  uint8_t padded[16] = {0};
  memcpy(padded, at, (size_t)spw_width(type));
  int64_t i = 0;
  memcpy(&i, padded, 8);
  const int shift = spw_width(type) < 8 ? 64 - 8 * spw_width(type) : 0;
  i = (int64_t)((uint64_t)i << shift) >> shift;
  double d;
  float single;
  spw_wide w;
  memcpy(&d, padded, 8);
  memcpy(&single, padded, 4);
  memcpy(&w, padded, 16);
  s->count++;
  s->integer += (uint64_t)i;
  s->real += type == SPW_F64 ? d : type == SPW_F32 ? (double)single : (double)i;
  if (f->op == SPW_SUM_DEC || f->op == SPW_AVG_DEC) {
    const big limit = big_power_of_ten(f->precision);
    s->decimal = big_add(s->decimal, big_of(type == SPW_I64 ? i : w));
    s->overflow |= big_compare_magnitude(&s->decimal, &limit) >= 0;
  }
  if (f->op == SPW_MIN || f->op == SPW_MAX) {
    const int better = s->seen ? order(type, padded, s->extreme) * (f->op == SPW_MIN ? -1 : 1) : 1;
    if (better > 0) memcpy(s->extreme, padded, 16);
  }
  if (f->op == SPW_LAST || (f->op == SPW_FIRST && !s->seen)) {
    s->null_end = 0;
    memcpy(s->extreme, padded, 16);
  }
  if (f->op >= SPW_BITS_AND && f->op <= SPW_BITS_XOR) {
    int64_t kept;
    memcpy(&kept, s->extreme, 8);
    if (s->seen) i = f->op == SPW_BITS_AND ? kept & i : f->op == SPW_BITS_OR ? kept | i : kept ^ i;
    memcpy(s->extreme, &i, 8);
  }
  s->squares += d * d;
  s->seen = 1;
}

/* A null, which only first and last values may count. */
static void fold_null(const spw_agg_fn *f, fold *s) {
  if ((f->op != SPW_FIRST && f->op != SPW_LAST) || f->precision) return;
  if (f->op == SPW_LAST || !s->seen) s->null_end = 1;
  s->seen = 1;
}

static int same_key(const group *g, int k, const spw_column *column, int64_t row) {
  const int null = null_at(column, row);
  if (null || g->null[k]) return null == g->null[k];
  if (column->type != SPW_STR) return memcmp(g->key[k], value_at(column, row), (size_t)spw_width(column->type)) == 0;
  const spw_str a = str_value(g->key[k]), b = str_value(value_at(column, row));
  return str_order(&a, &b) == 0;
}

static group *find_group(agg_case *c, const spw_column *keys, int64_t row) {
  for (int g = 0; g < c->ngroups; g++) {
    int same = 1;
    for (int k = 0; k < c->nkeys && same; k++) same = same_key(&c->groups[g], k, &keys[k], row);
    if (same) return &c->groups[g];
  }
  return NULL;
}

void oracle_advance(agg_case *c, int32_t rows) {
  for (; c->oracle_rows < rows; c->oracle_rows++) {
    const int32_t row = c->oracle_rows;
    group *g = find_group(c, c->keys, row);
    if (g == NULL) {
      CHECK(c->ngroups < MAX_GROUPS);
      g = &c->groups[c->ngroups++];
      memset(g, 0, sizeof *g);
      for (int k = 0; k < c->nkeys; k++) {
        g->null[k] = null_at(&c->keys[k], row);
        memcpy(g->key[k], value_at(&c->keys[k], row), (size_t)spw_width(c->keys[k].type));
      }
    }
    for (int i = 0; i < c->nfns; i++) {
      const spw_agg_fn *f = &c->fns[i];
      if (f->input == -1) g->folds[i].count++;
      else if (!null_at(&c->inputs[i], row)) fold_value(f, &g->folds[i], f->type, value_at(&c->inputs[i], row));
      else fold_null(f, &g->folds[i]);
    }
  }
}

/* ---- checking ---- */

static spw_wide decimal_at(const spw_column *c, int64_t row) {
  spw_wide w = 0;
  int64_t i;
  if (c->type == SPW_I128) memcpy(&w, value_at(c, row), 16);
  else memcpy(&i, value_at(c, row), 8), w = i;
  return w;
}

/* To the result's scale, half up. */
static int average(const spw_agg_fn *f, const fold *s, spw_wide *out) {
  if (s->count == 0 || s->overflow) return 0;
  big a = s->decimal;
  const int negative = a.negative;
  a.negative = 0;
  a = big_mul(a, big_power_of_ten(f->scale_up));
  const uint32_t rest = big_divide_small(&a, (uint32_t)s->count);
  if ((uint64_t)rest * 2 >= (uint64_t)s->count) a = big_add(a, big_of(1));
  const big limit = big_power_of_ten(f->out_precision);
  if (big_compare_magnitude(&a, &limit) >= 0) return 0;
  a.negative = negative;
  return big_to_wide(&a, out);
}

static int same_real(double a, double b) { return (isnan(a) && isnan(b)) || a == b; }

static void check_function(const spw_agg_fn *f, const fold *s, const spw_column *out, int64_t row) {
  const int null = null_at(out, row);
  int64_t i = 0;
  double d = 0;
  spw_wide w = 0;
  if (spw_width(out->type) >= 8) memcpy(&i, value_at(out, row), 8), memcpy(&d, value_at(out, row), 8);
  switch (f->op) {
    case SPW_COUNT: CHECK(!null && i == s->count); break;
    case SPW_SUM_I64: CHECK(null == !s->seen && (null || (uint64_t)i == s->integer)); break;
    case SPW_SUM_F64: CHECK(null == !s->seen && (null || same_real(d, s->real))); break;
    case SPW_AVG_F64: CHECK(null == !s->seen && (null || same_real(d, s->real / (double)s->count))); break;
    case SPW_SUM_DEC:
      CHECK(null == (!s->seen || s->overflow));
      CHECK(null || (big_to_wide(&s->decimal, &w) && w == decimal_at(out, row)));
      break;
    case SPW_AVG_DEC: {
      const int expected = average(f, s, &w);
      CHECK(null == !expected && (null || w == decimal_at(out, row)));
      break;
    }
    case SPW_MOMENTS: {
      const int sample = f->precision & 1;
      CHECK(null == (s->count == 0 || (sample && s->count == 1 && f->out_scale == 1)));
      const double n = (double)s->count;
      double expected = (s->squares - s->real * s->real / n) / (sample ? n - 1 : n);
      if (sample && s->count == 1) expected = (double)NAN;
      if (expected < 0) expected = 0;
      if (f->precision > 1) expected = sqrt(expected);
      const double allowed = f->precision > 1 ? 1e-4 : 1e-6;
      CHECK(null || (isnan(expected) && isnan(d)) || fabs(d - expected) <= allowed * (1 + fabs(expected)));
      break;
    }
    case SPW_FIRST:
    case SPW_LAST:
      CHECK(null == (!s->seen || s->null_end));
      CHECK(null || (out->type == SPW_STR ? order(SPW_STR, value_at(out, row), s->extreme) == 0
                                          : memcmp(value_at(out, row), s->extreme, (size_t)spw_width(out->type)) == 0));
      break;
    default: CHECK(null == !s->seen && (null || order(f->type, value_at(out, row), s->extreme) == 0)); break;
  }
}

void oracle_check_row(agg_case *c, const spw_column *out, int64_t row) {
  group *g = find_group(c, out, row);
  CHECK(g != NULL && "a group that no row has");
  CHECK(!g->found && "a group twice");
  g->found = 1;
  for (int i = 0; i < c->nfns; i++) check_function(&c->fns[i], &g->folds[i], &out[c->nkeys + i], row);
}

void oracle_check_complete(agg_case *c) {
  for (int g = 0; g < c->ngroups; g++) {
    CHECK(c->groups[g].found && "a group is missing");
    c->groups[g].found = 0;
  }
}
