#include "spw_agg_emit.h"

#include <math.h>

#include "spw_agg.h"
#include "spw_agg_check.h"

/* The rows to write, dead ones skipped, and what to write them to. */
typedef struct emit {
  uint64_t page;
  uint32_t from, to;
  int32_t row_width;
  int32_t final;
} emit;

#define SPW_EACH_ROW(BODY)                                          \
  do {                                                              \
    int32_t n = 0;                                                  \
    for (uint32_t r = e->from; r < e->to; r++) {                    \
      const uint64_t row = spw_page_row(e->page, r, e->row_width);  \
      if (spw_row_dead(row)) continue;                              \
      BODY;                                                         \
      n++;                                                          \
    }                                                               \
  } while (0)

static void put_small(const spw_column *out, int32_t n, uint64_t value) {
  memcpy((uint8_t *)spw_at(out->values) + (size_t)n * (size_t)spw_width(out->type), &value,
         (size_t)spw_width(out->type));
}

static void put_null(spw_column *out, int32_t n, int null) {
  ((uint8_t *)spw_at(out->nulls))[n] = (uint8_t)null;
  out->has_nulls |= null;
}

/* A decimal as wide as the column. */
static void put_decimal(spw_column *out, int32_t n, spw_wide value, int null) {
  if (null) value = 0;
  if (out->type == SPW_I64) ((spw_i64 *)spw_at(out->values))[n] = (int64_t)value;
  else ((spw_i128 *)spw_at(out->values))[n] = value;
  put_null(out, n, null);
}

/* The value of any type that lies at `from`, zero where it is null. */
static void put_value(const emit *e, spw_column *out, int32_t n, uint64_t from, int null) {
  if (out->type == SPW_STR) {
    spw_string s;
    memset(&s, 0, sizeof s);
    if (!null) s = spw_page_string(e->page, from);
    ((spw_string *)spw_at(out->values))[n] = s;
  } else if (out->type == SPW_I128) {
    ((spw_i128 *)spw_at(out->values))[n] = null ? 0 : *spw_i128_at(from);
  } else {
    put_small(out, n, null ? 0 : *(const spw_u64 *)spw_at(from));
  }
  put_null(out, n, null);
}

static void emit_key(const emit *e, const spw_key *key, int32_t number, spw_column *out) {
  SPW_EACH_ROW(put_value(e, out, n, row + (uint64_t)key->offset, (int)(spw_row_nulls(row) >> number & 1)));
}

/* sum * 10^scale_up / count, half up, away from zero. */
static int average(const spw_agg_fn *f, spw_wide sum, int64_t count, spw_wide *out) {
  const spw_uwide divisor = (spw_uwide)count, magnitude = spw_magnitude(sum);
  const spw_wide power = spw_power_of_ten(f->scale_up);
  const spw_uwide rest = magnitude % divisor * (spw_uwide)power; /* < 2^63 * 10^18 */
  spw_wide result;
  if (spw_wide_mul((spw_wide)(magnitude / divisor), power, &result)) return 1;
  if (spw_wide_add(result, (spw_wide)(rest / divisor), &result)) return 1;
  if (rest % divisor * 2 >= divisor && spw_wide_add(result, 1, &result)) return 1;
  if (result >= spw_power_of_ten(f->out_precision)) return 1;
  *out = sum < 0 ? -result : result;
  return 0;
}

static void emit_avg_dec(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  if (!e->final) {
    SPW_EACH_ROW(put_decimal(out, n, *spw_i128_at(row + at), (*spw_i64_at(row + at + 24) & SPW_FLAG_OVERFLOW) != 0));
    SPW_EACH_ROW(put_value(e, out + 1, n, row + at + 16, 0));
    return;
  }
  SPW_EACH_ROW(const int64_t count = *spw_i64_at(row + at + 16); spw_wide value = 0;
               int null = count <= 0 || (*spw_i64_at(row + at + 24) & SPW_FLAG_OVERFLOW) != 0;
               if (!null) null = average(f, *spw_i128_at(row + at), count, &value);
               put_decimal(out, n, value, null));
}

/* Whether a decimal sum has left what its type holds; for those that may come back, by now. */
static int sum_overflows(const spw_agg_fn *f, uint64_t state) {
  const int64_t flags = *spw_i64_at(state + 16);
  if ((flags & SPW_FLAG_OVERFLOW) != 0) return 1;
  if (!spw_sums_freely(f)) return 0;
  const spw_wide sum = *spw_i128_at(state);
  return flags >> 32 != (sum < 0 ? -1 : 0) || spw_magnitude(sum) >= (spw_uwide)spw_power_of_ten(f->precision);
}

static void emit_sum_dec(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  if (e->final) {
    SPW_EACH_ROW(put_decimal(out, n, *spw_i128_at(row + at),
                             (*spw_i64_at(row + at + 16) & SPW_FLAG_SEEN) == 0 || sum_overflows(f, row + at)));
    return;
  }
  SPW_EACH_ROW(put_decimal(out, n, *spw_i128_at(row + at), sum_overflows(f, row + at)));
  SPW_EACH_ROW(put_small(out + 1, n, (uint32_t)*spw_i64_at(row + at + 16) == 0); put_null(out + 1, n, 0));
}

static void emit_avg_f64(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  if (!e->final) {
    SPW_EACH_ROW(put_value(e, out, n, row + at, 0));
    SPW_EACH_ROW(put_value(e, out + 1, n, row + at + 8, 0));
    return;
  }
  SPW_EACH_ROW(const int64_t count = *spw_i64_at(row + at + 8);
               ((spw_f64 *)spw_at(out->values))[n] = count == 0 ? 0.0 : *spw_f64_at(row + at) / (double)count;
               put_null(out, n, count == 0));
}

static void emit_end(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  SPW_EACH_ROW(put_value(e, out, n, row + at, *spw_extreme_seen(f, row) != SPW_FLAG_SEEN));
  if (e->final) return;
  SPW_EACH_ROW(put_small(out + 1, n, *spw_extreme_seen(f, row) != 0); put_null(out + 1, n, 0));
}

static double moment(const spw_agg_fn *f, const spw_f64 *s) {
  const int sample = f->precision & 1;
  if (sample && s[0] == 1) return NAN;
  const double variance = s[2] / (sample ? s[0] - 1 : s[0]);
  return f->precision < 2 ? variance : sqrt(variance);
}

static void emit_moments(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  if (!e->final) {
    for (uint64_t k = 0; k < 3; k++) SPW_EACH_ROW(put_value(e, out + k, n, row + at + 8 * k, 0));
    return;
  }
  SPW_EACH_ROW(const spw_f64 *s = spw_f64_at(row + at);
               const int null = s[0] == 0 || ((f->precision & 1) != 0 && s[0] == 1 && f->out_scale == 1);
               ((spw_f64 *)spw_at(out->values))[n] = null ? 0.0 : moment(f, s); put_null(out, n, null));
}

static void emit_function(const emit *e, const spw_agg_fn *f, spw_column *out) {
  const uint64_t at = (uint64_t)f->state_offset;
  switch (f->op) {
    case SPW_COUNT: SPW_EACH_ROW(put_value(e, out, n, row + at, 0)); break;
    case SPW_FIRST:
    case SPW_LAST: emit_end(e, f, out); break;
    case SPW_MOMENTS: emit_moments(e, f, out); break;
    case SPW_BITS_AND:
    case SPW_BITS_OR:
    case SPW_BITS_XOR:
    case SPW_SUM_I64:
    case SPW_SUM_F64: SPW_EACH_ROW(put_value(e, out, n, row + at, *spw_i64_at(row + at + 8) == 0)); break;
    case SPW_SUM_DEC: emit_sum_dec(e, f, out); break;
    case SPW_AVG_F64: emit_avg_f64(e, f, out); break;
    case SPW_AVG_DEC: emit_avg_dec(e, f, out); break;
    default: SPW_EACH_ROW(put_value(e, out, n, row + at, *spw_extreme_seen(f, row) == 0)); break;
  }
}

/* The type of a function's first output column; 0: I64 or I128, as out_type says. */
static int32_t first_type(const spw_agg_fn *f) {
  switch (f->op) {
    case SPW_COUNT:
    case SPW_SUM_I64: return SPW_I64;
    case SPW_SUM_F64:
    case SPW_MOMENTS:
    case SPW_AVG_F64: return SPW_F64;
    case SPW_SUM_DEC:
    case SPW_AVG_DEC: return 0;
    default: return f->type;
  }
}

/* The type of the second output column, or 0 if there is none. */
static int32_t second_type(const spw_agg_fn *f, int final) {
  if (final) return 0;
  switch (f->op) {
    case SPW_SUM_DEC:
    case SPW_FIRST:
    case SPW_LAST: return SPW_BOOL;
    case SPW_AVG_F64:
    case SPW_AVG_DEC: return SPW_I64;
    case SPW_MOMENTS: return SPW_F64;
    default: return 0;
  }
}

static int columns_of(const spw_agg_fn *f, int final) {
  return second_type(f, final) == 0 ? 1 : f->op == SPW_MOMENTS ? 3 : 2;
}

static int column_ok(spw_column *out, int32_t type) {
  out->has_nulls = 0;
  return out->values != 0 && out->nulls != 0 && out->kind == SPW_VECTOR && out->type == type;
}

static int64_t check_columns(const spw_emit *block) {
  spw_column *out = spw_at(block->out);
  const spw_key *keys = spw_at(block->key_layout);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (!column_ok(out++, keys[k].type)) return SPW_BAD_TYPE;
  }
  const spw_agg_fn *functions = spw_at(block->functions);
  for (int32_t i = 0; i < block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    const int32_t type = first_type(f), second = second_type(f, block->final);
    if (type == 0 && f->out_type != SPW_I64 && f->out_type != SPW_I128) return SPW_BAD_TYPE;
    if (!column_ok(out++, type == 0 ? f->out_type : type)) return SPW_BAD_TYPE;
    for (int k = columns_of(f, block->final); k > 1; k--) {
      if (!column_ok(out++, second)) return SPW_BAD_TYPE;
    }
    if (f->op == SPW_MOMENTS && (f->precision < 0 || f->precision > 3)) return SPW_BAD_ARGUMENT;
    if (f->op == SPW_AVG_DEC && block->final &&
        (f->scale_up < 0 || f->scale_up > 18 || f->out_precision < 1 ||
         f->out_precision > SPW_MAX_DECIMAL_DIGITS)) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

static int64_t check(const spw_emit *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || !spw_aligned(block->page) || block->max_rows < 0 ||
      block->start_row < 0) {
    return SPW_BAD_ARGUMENT;
  }
  if (block->nkeys + block->nfunctions > 0 && !spw_aligned(block->out)) return SPW_BAD_ARGUMENT;
  const int64_t bad =
      spw_check_fields(block->key_layout, block->nkeys, block->functions, block->nfunctions, block->row_width);
  if (bad != 0) return bad;
  const spw_page *header = spw_at(block->page);
  if (!spw_page_rows_fit(header, block->row_width)) return SPW_BAD_PAGE;
  return check_columns(block);
}

int64_t SPW_FN(spw_agg_emit)(spw_emit *block) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  const spw_page *header = spw_at(block->page);
  emit e = {block->page, (uint32_t)block->start_row, (uint32_t)block->start_row, block->row_width, block->final};
  int32_t rows = 0;
  for (; e.to < header->rows; e.to++) {
    if (spw_row_dead(spw_page_row(e.page, e.to, e.row_width))) continue;
    if (rows == block->max_rows) break;
    rows++;
  }
  spw_column *out = spw_at(block->out);
  const spw_key *keys = spw_at(block->key_layout);
  for (int32_t k = 0; k < block->nkeys; k++) emit_key(&e, &keys[k], k, out++);
  const spw_agg_fn *functions = spw_at(block->functions);
  for (int32_t f = 0; f < block->nfunctions; f++) {
    emit_function(&e, &functions[f], out);
    out += columns_of(&functions[f], block->final);
  }
  block->start_row = (int32_t)e.to;
  return rows;
}
