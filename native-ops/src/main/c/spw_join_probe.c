/* Probe rows looked up in the index. */
#include "spw_join.h"

#include "spw_column.h"

/* How many rows ahead an index slot, and the row that it names, are fetched. */
#define SLOT_AHEAD 16
#define ROW_AHEAD 8

SPW_INLINE int32_t partition_of(const spw_join *block, uint64_t hash) {
  return spw_partition_of(hash, block->partition_bits, block->hash_shift);
}

SPW_INLINE int same_keys(const spw_join *block, uint64_t row, uint64_t build, uint64_t page) {
  const spw_column *keys = spw_at(block->keys);
  const spw_key *layout = spw_join_layout(block);
  for (int32_t k = 0; k < block->nkeys; k++) {
    const uint64_t slot = build + (uint64_t)layout[k].offset;
    if (layout[k].type == SPW_STR || layout[k].type == SPW_I128) {
      const void *value = (const uint8_t *)spw_at(keys[k].values) + row * spw_column_stride(&keys[k]) * 16;
      if (layout[k].type == SPW_STR ? !spw_string_equal(value, 0, spw_string_at(slot), page)
                                    : memcmp(value, spw_at(slot), 16) != 0) {
        return 0;
      }
    } else if (spw_column_small(&keys[k], row) != *(const spw_u64 *)spw_at(slot)) {
      return 0;
    }
  }
  return 1;
}

/* The handle of the first build row with the probe row's keys, or 0. The index exists. */
SPW_INLINE uint64_t find(const spw_join *block, const spw_partition *partition, uint64_t row, uint64_t hash) {
  const spw_u64 *slots = spw_at(partition->index);
  const spw_u64 *pages = spw_at(partition->pages);
  const uint64_t mask = partition->index_slots - 1, salt = spw_salt(hash);
  for (uint64_t at = hash & mask;; at = (at + 1) & mask) { /* ends: at most 2/3 are used */
    const uint64_t slot = slots[at];
    if (slot == 0) return 0;
    if ((slot & ~SPW_HANDLE_MASK) != salt) continue;
    const uint64_t page = pages[(slot & SPW_HANDLE_MASK) >> 28], build = page + (slot & 0x0fffffff) * 8;
    if (spw_row_hash(build) == hash && same_keys(block, row, build, page)) return slot & SPW_HANDLE_MASK;
  }
}

SPW_INLINE const spw_partition *indexed(const spw_join *block, uint64_t hash) {
  const int32_t number = partition_of(block, hash);
  if ((block->absent >> number & 1) != 0) return NULL;
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + number;
  return spw_index_usable(partition) ? partition : NULL;
}

SPW_INLINE void fetch_slot(const spw_join *block, uint64_t hash) {
  const spw_partition *partition = indexed(block, hash);
  if (partition == NULL) return;
  __builtin_prefetch((const spw_u64 *)spw_at(partition->index) + (hash & (partition->index_slots - 1)));
}

SPW_INLINE void fetch_row(const spw_join *block, uint64_t hash) {
  const spw_partition *partition = indexed(block, hash);
  if (partition == NULL) return;
  const uint64_t slot = ((const spw_u64 *)spw_at(partition->index))[hash & (partition->index_slots - 1)];
  if (slot != 0) __builtin_prefetch(spw_at(spw_slot_row(partition, slot)));
}

static int64_t check(const spw_join *block) {
  const int64_t bad = spw_join_check_partitions(block);
  if (bad != 0) return bad;
  if (!spw_aligned(block->keys) || block->rows < 0 || block->row < 0 || block->row > block->rows ||
      block->max_pairs < 1 || block->ndeferred < 0 || block->ndeferred > block->rows || block->mode < SPW_JOIN_ALL ||
      block->mode > SPW_JOIN_FIRST || (block->rows > 0 && (!spw_aligned(block->hashes) || block->keyless == 0 ||
                                                           block->states == 0 || block->deferred == 0))) {
    return SPW_BAD_ARGUMENT;
  }
  if (block->mode != SPW_JOIN_FIRST && (block->pair_rows == 0 || block->pair_builds == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *keys = spw_at(block->keys);
  const spw_key *layout = spw_join_layout(block);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].type != layout[k].type) return SPW_BAD_TYPE;
    if (keys[k].values == 0 || keys[k].kind == SPW_SCRATCH) return SPW_BAD_ARGUMENT;
  }
  return 0;
}

/* Puts out the chain from `handle` on as far as there is room; the handle where it goes on, or 0. */
SPW_INLINE uint64_t put_chain(spw_join *block, int32_t number, int32_t row, uint64_t handle) {
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + number;
  spw_i32 *rows = spw_at(block->pair_rows);
  spw_u64 *builds = spw_at(block->pair_builds);
  int32_t n = block->npairs;
  for (; handle != 0 && n < block->max_pairs; n++) {
    rows[n] = row;
    builds[n] = (uint64_t)number << 48 | handle;
    handle = *spw_join_link(block, spw_slot_row(partition, handle)) & SPW_HANDLE_MASK;
  }
  block->npairs = n;
  return handle;
}

int64_t SPW_FN(spw_join_probe)(spw_join *block) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  const spw_u64 *hashes = spw_at(block->hashes);
  const uint8_t *keyless = spw_at(block->keyless);
  uint8_t *states = spw_at(block->states);
  spw_i32 *deferred = spw_at(block->deferred);
  uint64_t handle = block->chain;
  block->npairs = 0;
  block->chain = 0;
  for (int32_t i = block->row; i < block->rows; i++, handle = 0) {
    if (i + SLOT_AHEAD < block->rows) fetch_slot(block, hashes[i + SLOT_AHEAD]);
    if (i + ROW_AHEAD < block->rows) fetch_row(block, hashes[i + ROW_AHEAD]);
    if (block->mode != SPW_JOIN_ALL && states[i] != SPW_JOIN_UNMATCHED) continue;
    const int32_t number = partition_of(block, hashes[i]);
    const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + number;
    if (handle == 0) {
      if (keyless[i]) continue;
      if ((block->absent >> number & 1) != 0) {
        deferred[block->ndeferred++] = i;
        states[i] = SPW_JOIN_DEFERRED;
        continue;
      }
      if (partition->rows == 0) continue;
      if (SPW_UNLIKELY(!spw_index_usable(partition))) {
        block->row = i;
        block->need_partition = number;
        block->need = spw_index_slots_for(partition->rows);
        return SPW_NEEDS_INDEX;
      }
      handle = find(block, partition, (uint64_t)i, hashes[i]);
      if (handle == 0) continue;
    }
    if (block->mode == SPW_JOIN_FIRST) {
      states[i] = SPW_JOIN_MATCHED;
      continue;
    }
    handle = put_chain(block, number, i, handle);
    if (handle != 0) {
      block->row = i;
      block->chain = handle;
      return block->npairs;
    }
  }
  block->row = block->rows;
  return block->npairs;
}
