/* Columns into states, a function at a time over the groups that a chunk's rows were found in. */
#include "spw_agg.h"

typedef spw_update update;

/* BODY for every row that is not null: x is its value, `state` the address of its group's state. */
#define SPW_EACH(T, BODY)                                                            \
  do {                                                                               \
    const size_t stride = spw_column_stride(u->in), ns = spw_column_null_stride(u->in); \
    const T *v = (const T *)spw_at(u->in->values) + (uint64_t)u->base * stride;      \
    const uint8_t *nulls = spw_column_nulls(u->in) + (uint64_t)u->base * ns;         \
    for (int32_t i = u->from; i < u->to; i++) {                                      \
      if (nulls[(size_t)i * ns]) continue;                                           \
      const T x = v[(size_t)i * stride];                                             \
      const uint64_t state = u->groups[i] + (uint64_t)u->f->state_offset;            \
      BODY;                                                                          \
    }                                                                                \
  } while (0)

static void count(const update *u, int merge) {
  if (u->in == NULL) {
    for (int32_t i = u->from; i < u->to; i++) *spw_i64_at(u->groups[i] + (uint64_t)u->f->state_offset) += 1;
  } else if (merge) {
    SPW_EACH(spw_i64, spw_i64 *n = spw_i64_at(state); *n = (int64_t)((uint64_t)*n + (uint64_t)x));
  } else {
    /* Only the nulls matter, so the value is not read at its own width. */
    const size_t ns = spw_column_null_stride(u->in);
    const uint8_t *nulls = spw_column_nulls(u->in) + (uint64_t)u->base * ns;
    for (int32_t i = u->from; i < u->to; i++) {
      *spw_i64_at(u->groups[i] + (uint64_t)u->f->state_offset) += !nulls[(size_t)i * ns];
    }
  }
}

#define SPW_ADD_I64                                                         \
  spw_i64 *s = spw_i64_at(state);                                           \
  s[0] = (int64_t)((uint64_t)s[0] + (uint64_t)(int64_t)x);                  \
  s[1] = 1

#define SPW_ADD_F64 *spw_f64_at(state) += (double)x, *spw_i64_at(state + 8) = 1
#define SPW_ADD_AVG *spw_f64_at(state) += (double)x, *spw_i64_at(state + 8) += 1

static void sum_i64(const update *u) {
  switch (u->in->type) {
    case SPW_I8: SPW_EACH(spw_i8, SPW_ADD_I64); break;
    case SPW_I16: SPW_EACH(spw_i16, SPW_ADD_I64); break;
    case SPW_I32: SPW_EACH(spw_i32, SPW_ADD_I64); break;
    default: SPW_EACH(spw_i64, SPW_ADD_I64); break;
  }
}

static void sum_f64(const update *u) {
  if (u->in->type == SPW_F32) SPW_EACH(spw_f32, SPW_ADD_F64);
  else SPW_EACH(spw_f64, SPW_ADD_F64);
}

static void avg_f64(const update *u) {
  if (u->in2 != NULL) {
    SPW_EACH(spw_f64, *spw_f64_at(state) += x);
    return;
  }
  switch (u->in->type) {
    case SPW_I8: SPW_EACH(spw_i8, SPW_ADD_AVG); break;
    case SPW_I16: SPW_EACH(spw_i16, SPW_ADD_AVG); break;
    case SPW_I32: SPW_EACH(spw_i32, SPW_ADD_AVG); break;
    case SPW_I64: SPW_EACH(spw_i64, SPW_ADD_AVG); break;
    case SPW_F32: SPW_EACH(spw_f32, SPW_ADD_AVG); break;
    default: SPW_EACH(spw_f64, SPW_ADD_AVG); break;
  }
}

/* Merging averages: the count column, beside whatever was done with the sum. */
static void add_counts(const update *u, uint64_t offset) {
  const size_t stride = spw_column_stride(u->in2);
  const spw_i64 *v = spw_at(u->in2->values);
  for (int32_t i = u->from; i < u->to; i++) {
    const uint64_t row = (uint64_t)(u->base + i);
    if (spw_column_null(u->in2, row)) continue;
    spw_i64 *n = spw_i64_at(u->groups[i] + (uint64_t)u->f->state_offset + offset);
    *n = (int64_t)((uint64_t)*n + (uint64_t)v[row * stride]);
  }
}

#define SPW_SUM_DECIMAL                                                   \
  spw_add_decimal(spw_i128_at(state), spw_i64_at(state + 16), x, limit);  \
  *spw_i64_at(state + 16) |= SPW_FLAG_SEEN
#define SPW_SUM_FREELY                                                                 \
  spw_add_freely(spw_i128_at(state), spw_i64_at(state + 16), x, x < 0 ? -1 : 0);       \
  *spw_i64_at(state + 16) |= SPW_FLAG_SEEN
#define SPW_AVG_DECIMAL                                                   \
  spw_add_decimal(spw_i128_at(state), spw_i64_at(state + 24), x, limit);  \
  *spw_i64_at(state + 16) += counted

static void sum_decimal(const update *u) {
  if (spw_sums_freely(u->f)) {
    if (u->in->type == SPW_I64) SPW_EACH(spw_i64, SPW_SUM_FREELY);
    else SPW_EACH(spw_i128, SPW_SUM_FREELY);
    return;
  }
  const spw_wide limit = spw_power_of_ten(u->f->precision);
  if (u->in->type == SPW_I64) SPW_EACH(spw_i64, SPW_SUM_DECIMAL);
  else SPW_EACH(spw_i128, SPW_SUM_DECIMAL);
}

static void avg_decimal(const update *u) {
  const spw_wide limit = spw_power_of_ten(u->f->precision);
  const int64_t counted = u->in2 == NULL;
  if (u->in->type == SPW_I64) SPW_EACH(spw_i64, SPW_AVG_DECIMAL);
  else SPW_EACH(spw_i128, SPW_AVG_DECIMAL);
}

SPW_INLINE spw_wide decimal_of(const spw_column *c, uint64_t row) {
  const uint64_t at = row * spw_column_stride(c);
  if (c->type == SPW_I64) return ((const spw_i64 *)spw_at(c->values))[at];
  return ((const spw_i128 *)spw_at(c->values))[at];
}

/* Buffer columns of a decimal sum: empty says that nothing was seen, a null sum that it overflowed. */
static void merge_sum_decimal(const update *u) {
  const spw_wide limit = spw_power_of_ten(u->f->precision);
  const uint8_t *empty = spw_at(u->in2->values);
  for (int32_t i = u->from; i < u->to; i++) {
    const uint64_t row = (uint64_t)(u->base + i);
    if (!spw_column_null(u->in2, row) && empty[row * spw_column_stride(u->in2)]) continue;
    const uint64_t state = u->groups[i] + (uint64_t)u->f->state_offset;
    spw_i64 *flags = spw_i64_at(state + 16);
    *flags |= SPW_FLAG_SEEN;
    if (spw_column_null(u->in, row)) {
      *flags |= SPW_FLAG_OVERFLOW;
      continue;
    }
    const spw_wide x = decimal_of(u->in, row);
    if (spw_sums_freely(u->f)) spw_add_freely(spw_i128_at(state), flags, x, x < 0 ? -1 : 0);
    else spw_add_decimal(spw_i128_at(state), flags, x, limit);
  }
}

/* A null sum in the buffer of an average has overflowed. */
static void merge_avg_decimal(const update *u) {
  for (int32_t i = u->from; i < u->to; i++) {
    if (!spw_column_null(u->in, (uint64_t)(u->base + i))) continue;
    *spw_i64_at(u->groups[i] + (uint64_t)u->f->state_offset + 24) |= SPW_FLAG_OVERFLOW;
  }
  avg_decimal(u);
  add_counts(u, 16);
}

/* Keeps x where nothing was seen or x is strictly better, as Spark does. */
#define SPW_KEEP(STATE_T, SEEN, BETTER)                       \
  STATE_T *kept = spw_at(state);                              \
  spw_i64 *seen = spw_i64_at(state + (SEEN));                 \
  const STATE_T old = *kept;                                  \
  if (!*seen || (BETTER)) *kept = x;                          \
  *seen = 1

#define SPW_EXTREME(T, STATE_T, SEEN, LESS, MORE)                       \
  do {                                                                  \
    if (u->f->op == SPW_MIN) SPW_EACH(T, SPW_KEEP(STATE_T, SEEN, LESS)); \
    else SPW_EACH(T, SPW_KEEP(STATE_T, SEEN, MORE));                    \
  } while (0)

static void extreme(const update *u) {
  switch (u->in->type) {
    case SPW_BOOL: SPW_EXTREME(uint8_t, spw_i64, 8, x < old, x > old); break;
    case SPW_I8: SPW_EXTREME(spw_i8, spw_i64, 8, x < old, x > old); break;
    case SPW_I16: SPW_EXTREME(spw_i16, spw_i64, 8, x < old, x > old); break;
    case SPW_I32: SPW_EXTREME(spw_i32, spw_i64, 8, x < old, x > old); break;
    case SPW_I64: SPW_EXTREME(spw_i64, spw_i64, 8, x < old, x > old); break;
    case SPW_F32: SPW_EXTREME(spw_f32, spw_f32, 8, spw_f32_less(x, old), spw_f32_less(old, x)); break;
    case SPW_F64: SPW_EXTREME(spw_f64, spw_f64, 8, spw_f64_less(x, old), spw_f64_less(old, x)); break;
    default: SPW_EXTREME(spw_i128, spw_i128, 16, x < old, x > old); break;
  }
}

static void run(const update *u, int merge) {
  switch (u->f->op) {
    case SPW_COUNT: count(u, merge); break;
    case SPW_SUM_I64: sum_i64(u); break;
    case SPW_SUM_F64: sum_f64(u); break;
    case SPW_SUM_DEC:
      if (merge) merge_sum_decimal(u);
      else sum_decimal(u);
      break;
    case SPW_AVG_F64:
      avg_f64(u);
      if (merge) add_counts(u, 8);
      break;
    case SPW_AVG_DEC:
      if (merge) merge_avg_decimal(u);
      else avg_decimal(u);
      break;
    case SPW_MIN:
    case SPW_MAX: extreme(u); break;
    default: SPW_FN(spw_update_more)(u); break;
  }
}

void SPW_FN(spw_update_groups)(const spw_agg *block, int64_t base, const uint64_t *groups, int32_t from, int32_t to) {
  const spw_agg_fn *functions = spw_functions(block);
  const spw_column *inputs = spw_input_columns(block);
  for (int32_t f = 0; f < block->nfunctions && from < to; f++) {
    const spw_agg_fn *fn = &functions[f];
    if (spw_is_string_state(fn)) continue;
    const int merge = spw_merges(block, fn);
    const update u = {fn,
                      fn->input < 0 ? NULL : &inputs[fn->input],
                      merge && fn->input2 >= 0 ? &inputs[fn->input2] : NULL,
                      merge && fn->input3 > 0 ? &inputs[fn->input3] : NULL,
                      groups,
                      base,
                      from,
                      to};
    run(&u, merge);
  }
}
