/* FIRST, LAST, the bits and the moments: columns into states, states into states. */
#include "spw_agg.h"

SPW_INLINE int bool_at(const spw_column *c, uint64_t row) {
  return ((const uint8_t *)spw_at(c->values))[row * spw_column_stride(c)] != 0;
}

SPW_INLINE double f64_at(const spw_column *c, uint64_t row) {
  return ((const spw_f64 *)spw_at(c->values))[row * spw_column_stride(c)];
}

/* ---- first and last ---- */

/* A value into a state's 8 or 16 bytes: sign-extended, floats by their bits. */
static void store(const spw_column *c, uint64_t row, uint64_t state) {
  const uint64_t at = row * spw_column_stride(c);
  const void *values = spw_at(c->values);
  spw_i64 *to = spw_i64_at(state);
  switch (c->type) {
    case SPW_BOOL: *to = ((const uint8_t *)values)[at]; break;
    case SPW_I8: *to = ((const spw_i8 *)values)[at]; break;
    case SPW_I16: *to = ((const spw_i16 *)values)[at]; break;
    case SPW_I32: *to = ((const spw_i32 *)values)[at]; break;
    case SPW_F32: *to = ((const spw_u32 *)values)[at]; break;
    case SPW_I128: memcpy(to, (const spw_i128 *)values + at, 16); break;
    default: *to = ((const spw_i64 *)values)[at]; break;
  }
}

static void ends(const spw_update *u) {
  for (int32_t i = u->from; i < u->to; i++) {
    const uint64_t row = (uint64_t)(u->base + i), group = u->groups[i];
    const int null = spw_column_null(u->in, row);
    if (u->in2 != NULL ? spw_column_null(u->in2, row) || !bool_at(u->in2, row) : null && u->f->precision) continue;
    spw_i64 *flags = spw_extreme_seen(u->f, group);
    if (u->f->op == SPW_FIRST && *flags != 0) continue;
    *flags = null ? SPW_FLAG_SEEN | SPW_FLAG_NULL : SPW_FLAG_SEEN;
    if (!null) store(u->in, row, group + (uint64_t)u->f->state_offset);
  }
}

/* ---- bits ---- */

SPW_INLINE int64_t combined(int op, int64_t x, int64_t y) {
  return op == SPW_BITS_AND ? x & y : op == SPW_BITS_OR ? x | y : x ^ y;
}

static void add_bits(int op, uint64_t state, int64_t value) {
  spw_i64 *s = spw_i64_at(state);
  s[0] = s[1] == 0 ? value : combined(op, s[0], value);
  s[1] = 1;
}

static void bits(const spw_update *u) {
  for (int32_t i = u->from; i < u->to; i++) {
    const uint64_t row = (uint64_t)(u->base + i);
    if (spw_column_null(u->in, row)) continue;
    int64_t value = 0;
    store(u->in, row, (uint64_t)(uintptr_t)&value);
    add_bits(u->f->op, u->groups[i] + (uint64_t)u->f->state_offset, value);
  }
}

/* ---- moments, by Spark's formulas ---- */

static void merge_moments(uint64_t state, double n2, double mean2, double m2) {
  spw_f64 *s = spw_f64_at(state);
  const double n1 = s[0], n = n1 + n2, delta = mean2 - s[1];
  const double part = n == 0 ? 0 : delta / n;
  s[0] = n;
  s[1] += part * n2;
  s[2] = s[2] + m2 + delta * part * n1 * n2;
}

static void moments(const spw_update *u) {
  for (int32_t i = u->from; i < u->to; i++) {
    const uint64_t row = (uint64_t)(u->base + i), state = u->groups[i] + (uint64_t)u->f->state_offset;
    if (spw_column_null(u->in, row)) continue;
    const double x = f64_at(u->in, row);
    if (u->in3 != NULL) {
      merge_moments(state, x, f64_at(u->in2, row), f64_at(u->in3, row));
      continue;
    }
    spw_f64 *s = spw_f64_at(state);
    const double n = s[0] + 1, delta = x - s[1], part = delta / n;
    s[0] = n;
    s[1] += part;
    s[2] += delta * (delta - part);
  }
}

void SPW_FN(spw_update_more)(const spw_update *u) {
  switch (u->f->op) {
    case SPW_FIRST:
    case SPW_LAST: ends(u); break;
    case SPW_MOMENTS: moments(u); break;
    default: bits(u); break;
  }
}

void SPW_FN(spw_merge_more)(const spw_agg_fn *f, uint64_t into_row, uint64_t from_row) {
  const uint64_t into = into_row + (uint64_t)f->state_offset, from = from_row + (uint64_t)f->state_offset;
  switch (f->op) {
    case SPW_FIRST:
    case SPW_LAST: {
      spw_i64 *flags = spw_extreme_seen(f, into_row);
      const int64_t other = *spw_extreme_seen(f, from_row);
      if (other == 0 || (f->op == SPW_FIRST && *flags != 0)) break;
      *flags = other;
      memcpy(spw_at(into), spw_at(from), f->type == SPW_I128 ? 16 : 8);
      break;
    }
    case SPW_MOMENTS: {
      const spw_f64 *s = spw_f64_at(from);
      merge_moments(into, s[0], s[1], s[2]);
      break;
    }
    default:
      if (*spw_i64_at(from + 8) != 0) add_bits(f->op, into, *spw_i64_at(from));
      break;
  }
}
