/* Checks of an aggregation's parameter block: cheap, once a call, before anything is written. */
#ifndef SPW_AGG_CHECK_H
#define SPW_AGG_CHECK_H

#include "spw_base.h"

#define SPW_MAX_KEYS 32
#define SPW_MAX_FUNCTIONS 256

/* Bytes of a function's state, or 0 if the operation or its type is not known. */
SPW_INLINE int32_t spw_state_bytes(const spw_agg_fn *f) {
  switch (f->op) {
    case SPW_COUNT: return 8;
    case SPW_SUM_I64:
    case SPW_SUM_F64:
    case SPW_AVG_F64: return 16;
    case SPW_SUM_DEC: return 24;
    case SPW_AVG_DEC: return 32;
    case SPW_BITS_AND:
    case SPW_BITS_OR:
    case SPW_BITS_XOR: return 16;
    case SPW_MOMENTS: return 24;
    case SPW_MIN:
    case SPW_MAX:
    case SPW_FIRST:
    case SPW_LAST: {
      const int32_t width = spw_width(f->type);
      return width == 0 ? 0 : width == 16 ? 24 : 16;
    }
    default: return 0;
  }
}

/* A row's fields lie behind its header, inside it, and aligned. */
SPW_INLINE int spw_field_inside(int32_t offset, int32_t bytes, int32_t row_width) {
  return offset >= SPW_ROW_HEADER && offset % 8 == 0 && bytes <= row_width && offset <= row_width - bytes;
}

SPW_INLINE int64_t spw_check_fields(uint64_t key_layout, int32_t nkeys, uint64_t functions, int32_t nfunctions,
                                    int32_t row_width) {
  if (nkeys < 0 || nkeys > SPW_MAX_KEYS || nfunctions < 0 || nfunctions > SPW_MAX_FUNCTIONS ||
      row_width < SPW_ROW_HEADER || row_width > (1 << 20) || row_width % 8 != 0) {
    return SPW_BAD_ARGUMENT;
  }
  if ((nkeys > 0 && !spw_aligned(key_layout)) || (nfunctions > 0 && !spw_aligned(functions))) return SPW_BAD_ARGUMENT;
  const spw_key *keys = spw_at(key_layout);
  for (int32_t k = 0; k < nkeys; k++) {
    const int32_t width = spw_width(keys[k].type);
    if (width == 0) return SPW_BAD_TYPE;
    if (!spw_field_inside(keys[k].offset, width == 16 ? 16 : 8, row_width)) return SPW_BAD_ARGUMENT;
  }
  const spw_agg_fn *fns = spw_at(functions);
  for (int32_t f = 0; f < nfunctions; f++) {
    const int32_t bytes = spw_state_bytes(&fns[f]);
    if (bytes == 0) return SPW_BAD_TYPE;
    if (!spw_field_inside(fns[f].state_offset, bytes, row_width)) return SPW_BAD_ARGUMENT;
    if (fns[f].op == SPW_SUM_DEC || fns[f].op == SPW_AVG_DEC) {
      if (fns[f].precision < 1 || fns[f].precision > SPW_MAX_DECIMAL_DIGITS) return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

SPW_INLINE int64_t spw_check_layout(const spw_agg *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  return spw_check_fields(block->key_layout, block->nkeys, block->functions, block->nfunctions, block->row_width);
}

/* What the table itself needs: partitions and scratch space. */
SPW_INLINE int64_t spw_check_table(const spw_agg *block) {
  const int64_t bad = spw_check_layout(block);
  if (bad != 0) return bad;
  if (!spw_aligned(block->partitions) || !spw_aligned(block->scratch) || block->partition_bits < 0 ||
      block->partition_bits > 6 || block->hash_shift < 0 || block->hash_shift > 63) {
    return SPW_BAD_ARGUMENT;
  }
  return 0;
}

#ifdef SPW_SUFFIX
/* Whether the columns fit the functions: types of raw values, or of buffer columns when merging. */
int64_t SPW_FN(spw_check_columns)(const spw_agg *block);
#endif

#endif
