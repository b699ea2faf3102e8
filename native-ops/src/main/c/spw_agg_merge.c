/* States of one row into another's. */
#include "spw_agg.h"

static void add_i64(uint64_t into, uint64_t from) {
  spw_i64 *a = spw_i64_at(into);
  *a = (int64_t)((uint64_t)*a + (uint64_t)*spw_i64_at(from));
}

static void merge_decimal(const spw_agg_fn *f, uint64_t into, uint64_t from, uint64_t flags_offset) {
  spw_i64 *flags = spw_i64_at(into + flags_offset);
  const int64_t other = *spw_i64_at(from + flags_offset);
  if (f->op == SPW_SUM_DEC && spw_sums_freely(f)) {
    spw_add_freely(spw_i128_at(into), flags, *spw_i128_at(from), (int32_t)(other >> 32));
    *flags |= other & (SPW_FLAG_SEEN | SPW_FLAG_OVERFLOW);
    return;
  }
  if ((other & SPW_FLAG_OVERFLOW) == 0) {
    spw_add_decimal(spw_i128_at(into), flags, *spw_i128_at(from), spw_power_of_ten(f->precision));
  }
  *flags |= other;
}

static int better(const spw_agg_fn *f, uint64_t candidate, uint64_t kept) {
  const uint64_t low = f->op == SPW_MIN ? candidate : kept;
  const uint64_t high = f->op == SPW_MIN ? kept : candidate;
  switch (f->type) {
    case SPW_F32: return spw_f32_less(*(const spw_f32 *)spw_at(low), *(const spw_f32 *)spw_at(high));
    case SPW_F64: return spw_f64_less(*spw_f64_at(low), *spw_f64_at(high));
    case SPW_I128: return *spw_i128_at(low) < *spw_i128_at(high);
    default: return *spw_i64_at(low) < *spw_i64_at(high);
  }
}

static void merge_extreme(const spw_agg_fn *f, uint64_t into_row, uint64_t from_row) {
  const uint64_t into = into_row + (uint64_t)f->state_offset, from = from_row + (uint64_t)f->state_offset;
  if (*spw_extreme_seen(f, from_row) == 0) return;
  if (*spw_extreme_seen(f, into_row) != 0 && !better(f, from, into)) return;
  memcpy(spw_at(into), spw_at(from), f->type == SPW_I128 ? 16 : 8);
  *spw_extreme_seen(f, into_row) = 1;
}

void SPW_FN(spw_merge_states)(const spw_agg *block, uint64_t into_row, uint64_t from_row) {
  const spw_agg_fn *functions = spw_functions(block);
  for (int32_t i = 0; i < block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    if (spw_is_string_state(f)) continue;
    const uint64_t into = into_row + (uint64_t)f->state_offset, from = from_row + (uint64_t)f->state_offset;
    switch (f->op) {
      case SPW_COUNT: add_i64(into, from); break;
      case SPW_SUM_I64:
        add_i64(into, from);
        *spw_i64_at(into + 8) |= *spw_i64_at(from + 8);
        break;
      case SPW_SUM_F64:
        *spw_f64_at(into) += *spw_f64_at(from);
        *spw_i64_at(into + 8) |= *spw_i64_at(from + 8);
        break;
      case SPW_AVG_F64:
        *spw_f64_at(into) += *spw_f64_at(from);
        add_i64(into + 8, from + 8);
        break;
      case SPW_SUM_DEC: merge_decimal(f, into, from, 16); break;
      case SPW_AVG_DEC:
        merge_decimal(f, into, from, 24);
        add_i64(into + 16, from + 16);
        break;
      case SPW_MIN:
      case SPW_MAX: merge_extreme(f, into_row, from_row); break;
      default: SPW_FN(spw_merge_more)(f, into_row, from_row); break;
    }
  }
}
