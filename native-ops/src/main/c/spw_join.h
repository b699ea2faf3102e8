/*
 * Hash joins: see spw_abi_join.h.
 */
#ifndef SPW_JOIN_H
#define SPW_JOIN_H

#include "spw_index.h"

#define SPW_DECLARE_JOIN(suffix)                                                                                     \
  int64_t spw_join_spread##suffix(uint64_t keyless, int32_t rows, uint64_t hashes, uint64_t seed);                 \
  int64_t spw_join_having##suffix(uint64_t bytes, int32_t rows, int32_t mask, uint64_t out);                         \
  int64_t spw_join_index##suffix(spw_join *block, int32_t partition, int32_t page);                                \
  int64_t spw_join_probe##suffix(spw_join *block);                                                                 \
  int64_t spw_join_mark##suffix(spw_join *block, uint64_t selection, int32_t count, int32_t builds);               \
  int64_t spw_join_unmatched##suffix(spw_join *block, int32_t partition, int32_t page, int32_t start);             \
  int64_t spw_join_keep##suffix(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t text, uint64_t capacity, \
                                uint64_t need);
SPW_LEVELS(SPW_DECLARE_JOIN)

#define SPW_JOIN_MAX_KEYS 32

SPW_INLINE const spw_key *spw_join_layout(const spw_join *block) { return spw_at(block->key_layout); }

SPW_INLINE spw_u64 *spw_join_link(const spw_join *block, uint64_t row) {
  return spw_at(row + (uint64_t)block->link_offset);
}

/* The address of the row that a handle names. */
SPW_INLINE uint64_t spw_join_row(const spw_join *block, uint64_t handle) {
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + (handle >> 48);
  return spw_slot_row(partition, handle);
}

/* Whether a build row has a null key: keys are its first columns, so their bits are the lowest. */
SPW_INLINE int spw_join_row_keyless(const spw_join *block, uint64_t row) {
  return (spw_row_nulls(row) & (uint32_t)((UINT64_C(1) << block->nkeys) - 1)) != 0;
}

/* The layout of build rows: every kernel that touches one asks for it. */
SPW_INLINE int64_t spw_join_check_rows(const spw_join *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->nkeys < 1 || block->nkeys > SPW_JOIN_MAX_KEYS ||
      !spw_aligned(block->key_layout) || block->row_width < SPW_ROW_HEADER + 8 || block->row_width > (1 << 20) ||
      block->row_width % 8 != 0 || block->link_offset < SPW_ROW_HEADER || block->link_offset % 8 != 0 ||
      block->link_offset > block->row_width - 8) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_key *layout = spw_join_layout(block);
  for (int32_t k = 0; k < block->nkeys; k++) {
    const int32_t width = spw_width(layout[k].type);
    if (width == 0) return SPW_BAD_TYPE;
    if (layout[k].offset < SPW_ROW_HEADER || layout[k].offset % 8 != 0 ||
        layout[k].offset > block->row_width - (width == 16 ? 16 : 8)) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

SPW_INLINE int64_t spw_join_check_partitions(const spw_join *block) {
  const int64_t bad = spw_join_check_rows(block);
  if (bad != 0) return bad;
  if (!spw_aligned(block->partitions) || block->partition_bits < 0 || block->partition_bits > 6 ||
      block->hash_shift < 0 || block->hash_shift > 63) {
    return SPW_BAD_ARGUMENT;
  }
  return 0;
}

#endif
