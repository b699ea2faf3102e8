/* The table: finding a row's group in its partition's index, or making it. */
#include "spw_agg.h"

#include "spw_agg_check.h"

/* How many rows ahead an index slot, and the row that it names, are fetched. */
#define SLOT_AHEAD 16
#define ROW_AHEAD 8
/* Below this many slots in all, the index lies in the cache and fetching ahead only costs. */
#define FETCH_SLOTS 16384u

SPW_INLINE int32_t partition_of(const spw_agg *block, uint64_t hash) {
  return spw_partition_of(hash, block->partition_bits, block->hash_shift);
}

/* Key k of the incoming row, where it takes 16 bytes. */
SPW_INLINE const void *wide_key(const spw_incoming *in, int from_page, int32_t k) {
  if (from_page) return spw_at(in->at + (uint64_t)spw_key_layout(in->block)[k].offset);
  const spw_column *column = &spw_key_columns(in->block)[k];
  return (const uint8_t *)spw_at(column->values) + in->at * spw_column_stride(column) * 16;
}

SPW_INLINE uint64_t narrow_key(const spw_incoming *in, int from_page, int32_t k) {
  if (from_page) return *(const spw_u64 *)spw_at(in->at + (uint64_t)spw_key_layout(in->block)[k].offset);
  return spw_column_small(&spw_key_columns(in->block)[k], in->at);
}

SPW_INLINE int same_keys(const spw_incoming *in, int from_page, uint64_t page, uint64_t group) {
  if (spw_row_nulls(group) != in->nulls) return 0;
  const spw_key *keys = spw_key_layout(in->block);
  for (int32_t k = 0; k < in->block->nkeys; k++) {
    if ((in->nulls >> k & 1) != 0) continue;
    const uint64_t slot = group + (uint64_t)keys[k].offset;
    if (keys[k].type == SPW_STR) {
      if (!spw_string_equal(wide_key(in, from_page, k), in->page, spw_string_at(slot), page)) return 0;
    } else if (keys[k].type == SPW_I128) {
      if (memcmp(wide_key(in, from_page, k), spw_at(slot), 16) != 0) return 0;
    } else if (narrow_key(in, from_page, k) != *(const spw_u64 *)spw_at(slot)) {
      return 0;
    }
  }
  return 1;
}

/* Finds the row's group, or the empty slot where it belongs. The index exists. */
SPW_INLINE spw_place find(const spw_incoming *in, int from_page, spw_partition *partition) {
  const spw_u64 *slots = spw_at(partition->index);
  const spw_u64 *pages = spw_at(partition->pages);
  const uint64_t mask = partition->index_slots - 1, salt = spw_salt(in->hash);
  uint64_t at = in->hash & mask;
  for (;; at = (at + 1) & mask) { /* ends: at most 2/3 of the slots are used */
    const uint64_t slot = slots[at];
    if (slot == 0) return (spw_place){partition, at, 0};
    if ((slot & ~SPW_HANDLE_MASK) != salt) continue;
    const uint64_t page = pages[(slot & SPW_HANDLE_MASK) >> 28], group = page + (slot & 0x0fffffff) * 8;
    if (spw_row_hash(group) == in->hash && same_keys(in, from_page, page, group)) {
      return (spw_place){partition, at, group};
    }
  }
}

static int64_t needs(spw_agg *block, int32_t number, int64_t what, uint64_t need) {
  if (what == SPW_NEEDS_PAGE) {
    const int64_t bytes = spw_next_page_bytes((const spw_partition *)spw_at(block->partitions) + number, need);
    if (bytes < 0) return bytes;
    need = (uint64_t)bytes;
  }
  block->need_partition = number;
  block->need = need;
  return what;
}

/* Bytes that the incoming keys and strings need beside the row itself. */
SPW_INLINE uint64_t new_heap(const spw_incoming *in, int from_page, int has_strings) {
  const spw_key *keys = spw_key_layout(in->block);
  uint64_t bytes = has_strings ? SPW_FN(spw_strings_heap)(in) : 0;
  for (int32_t k = 0; k < in->block->nkeys; k++) {
    if (keys[k].type == SPW_STR && (in->nulls >> k & 1) == 0) bytes += spw_heap_bytes(wide_key(in, from_page, k));
  }
  return bytes;
}

/* Makes the group of a row that find() did not find, its states untouched but for strings. */
SPW_INLINE int64_t make_group(spw_agg *block, const spw_incoming *in, int from_page, int has_strings, int32_t number,
                              spw_place *place) {
  spw_partition *partition = place->partition;
  if (spw_index_full(partition->index_used, partition->index_slots)) {
    return needs(block, number, SPW_NEEDS_INDEX, partition->index_slots * 2);
  }
  const uint64_t bytes = (uint64_t)block->row_width + new_heap(in, from_page, has_strings);
  if (partition->npages == 0 || bytes > spw_page_free(spw_last_page(partition), block->row_width)) {
    return needs(block, number, SPW_NEEDS_PAGE, sizeof(spw_page) + bytes);
  }
  const uint64_t page = spw_last_page(partition);
  const uint64_t group = spw_page_add_row(page, block->row_width);
  memset(spw_at(group), 0, (size_t)block->row_width);
  *(spw_u64 *)spw_at(group) = in->hash;
  *(spw_u32 *)spw_at(group + 8) = in->nulls;
  const spw_key *keys = spw_key_layout(block);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if ((in->nulls >> k & 1) != 0) continue;
    const uint64_t slot = group + (uint64_t)keys[k].offset;
    if (keys[k].type == SPW_STR) spw_page_put_string(page, slot, wide_key(in, from_page, k), in->page);
    else if (keys[k].type == SPW_I128) memcpy(spw_at(slot), wide_key(in, from_page, k), 16);
    else *(spw_u64 *)spw_at(slot) = narrow_key(in, from_page, k);
  }
  if (has_strings) SPW_FN(spw_strings_store)(in, page, group);
  spw_u64 *slots = spw_at(partition->index);
  slots[place->slot] = spw_slot(in->hash, partition->npages - 1, group - page);
  partition->index_used++;
  partition->rows++;
  place->group = group;
  return 0;
}

/* Finds or makes the row's group; 0, or NEEDS_x with nothing changed. *made says which. */
SPW_INLINE int64_t place_row(spw_agg *block, const spw_incoming *in, int from_page, int has_strings, spw_place *place,
                             int *made) {
  const int32_t number = partition_of(block, in->hash);
  spw_partition *partition = (spw_partition *)spw_at(block->partitions) + number;
  if (SPW_UNLIKELY(!spw_index_usable(partition))) {
    return needs(block, number, SPW_NEEDS_INDEX, spw_index_slots_for(partition->rows));
  }
  *place = find(in, from_page, partition);
  *made = place->group == 0;
  return *made ? make_group(block, in, from_page, has_strings, number, place) : 0;
}

/* Room in the group's page for the strings to come; may relocate the group, which `moved` says. */
static int64_t place_strings(spw_agg *block, const spw_incoming *in, spw_place *place, int *moved) {
  uint64_t need = 0;
  const int64_t result = SPW_FN(spw_strings_prepare)(in, place, &need);
  if (result < 0) return needs(block, partition_of(block, in->hash), result, need);
  *moved = (int)result;
  return 0;
}

static int has_string_states(const spw_agg *block) {
  const spw_agg_fn *functions = spw_functions(block);
  for (int32_t f = 0; f < block->nfunctions; f++) {
    if (spw_is_string_state(&functions[f])) return 1;
  }
  return 0;
}

static int fetch_ahead(const spw_agg *block) {
  const spw_partition *partitions = spw_at(block->partitions);
  uint64_t slots = 0;
  for (int32_t p = 0; p < 1 << block->partition_bits; p++) slots += partitions[p].index_slots;
  return slots >= FETCH_SLOTS;
}

SPW_INLINE void fetch_slot(const spw_agg *block, uint64_t hash) {
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + partition_of(block, hash);
  if (!spw_index_usable(partition)) return;
  __builtin_prefetch((const spw_u64 *)spw_at(partition->index) + (hash & (partition->index_slots - 1)));
}

SPW_INLINE void fetch_row(const spw_agg *block, uint64_t hash) {
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + partition_of(block, hash);
  if (!spw_index_usable(partition)) return;
  const uint64_t slot = ((const spw_u64 *)spw_at(partition->index))[hash & (partition->index_slots - 1)];
  if (slot != 0) __builtin_prefetch(spw_at(spw_slot_row(partition, slot)), 1);
}

SPW_INLINE spw_incoming chunk_row(const spw_agg *block, int64_t base, const spw_chunk *chunk, int32_t i) {
  return (spw_incoming){block, 0, (uint64_t)(base + i), chunk->hashes[i], chunk->nulls[i]};
}

/* Places the chunk's rows in order; *placed of them are in a group when it ends. */
static int64_t place_chunk(spw_agg *block, int64_t base, spw_chunk *chunk, int32_t rows, int32_t *placed) {
  const int fetch = fetch_ahead(block);
  for (int32_t i = 0; i < rows; i++) {
    *placed = i;
    if (fetch) {
      if (i + SLOT_AHEAD < rows) fetch_slot(block, chunk->hashes[i + SLOT_AHEAD]);
      if (i + ROW_AHEAD < rows) fetch_row(block, chunk->hashes[i + ROW_AHEAD]);
    }
    if (block->nkeys == 0 && i > 0) {
      chunk->groups[i] = chunk->groups[0];
      continue;
    }
    const spw_incoming in = chunk_row(block, base, chunk, i);
    spw_place place;
    int made = 0;
    const int64_t result = place_row(block, &in, 0, 0, &place, &made);
    if (SPW_UNLIKELY(result != 0)) return result;
    chunk->groups[i] = place.group;
  }
  *placed = rows;
  return 0;
}

/* Likewise where states hold strings: these are applied here, row by row, as they may move a group.
 * Before a group moves, what is due to it from earlier rows is applied: *applied rows so far. */
static int64_t place_chunk_strings(spw_agg *block, int64_t base, spw_chunk *chunk, int32_t rows, int32_t *placed,
                                   int32_t *applied) {
  for (int32_t i = 0; i < rows; i++) {
    *placed = i;
    const spw_incoming in = chunk_row(block, base, chunk, i);
    spw_place place;
    int made = 0, moved = 0;
    int64_t result = place_row(block, &in, 0, 1, &place, &made);
    if (result == 0 && !made) result = place_strings(block, &in, &place, &moved);
    if (result != 0) return result;
    if (moved) {
      SPW_FN(spw_update_groups)(block, base, chunk->groups, *applied, i);
      *applied = i;
      SPW_FN(spw_strings_relocate)(&in, &place);
    }
    if (!made) {
      const spw_partition *partition = place.partition;
      const uint64_t slot = ((const spw_u64 *)spw_at(partition->index))[place.slot];
      const uint64_t page = ((const spw_u64 *)spw_at(partition->pages))[(slot & SPW_HANDLE_MASK) >> 28];
      SPW_FN(spw_strings_store)(&in, page, place.group);
    }
    chunk->groups[i] = place.group;
  }
  *placed = rows;
  return 0;
}

int64_t SPW_FN(spw_agg_add)(spw_agg *block, int64_t start) {
  int64_t result = spw_check_table(block);
  if (result == 0) result = SPW_FN(spw_check_columns)(block);
  if (result == 0 && (start < 0 || start > block->rows)) result = SPW_BAD_ARGUMENT;
  if (result != 0) return result;
  const int strings = has_string_states(block);
  spw_chunk *chunk = spw_at(block->scratch);
  for (int64_t base = start; base < block->rows; base += SPW_CHUNK_ROWS) {
    const int64_t left = block->rows - base;
    const int32_t rows = left < SPW_CHUNK_ROWS ? (int32_t)left : SPW_CHUNK_ROWS;
    int32_t placed = 0, applied = 0;
    SPW_FN(spw_hash_chunk)(block, base, rows, chunk);
    result = strings ? place_chunk_strings(block, base, chunk, rows, &placed, &applied)
                     : place_chunk(block, base, chunk, rows, &placed);
    SPW_FN(spw_update_groups)(block, base, chunk->groups, applied, placed);
    if (result != 0) {
      block->rows_done = base + placed;
      return result;
    }
  }
  block->rows_done = block->rows;
  return block->rows;
}

static int64_t merge_row(spw_agg *block, uint64_t page, uint64_t row, int strings) {
  const spw_incoming in = {block, page, row, spw_row_hash(row), spw_row_nulls(row)};
  spw_place place;
  int made = 0, moved = 0;
  int64_t result = place_row(block, &in, 1, strings, &place, &made);
  if (result == 0 && strings && !made) result = place_strings(block, &in, &place, &moved);
  if (result != 0) return result;
  if (moved) SPW_FN(spw_strings_relocate)(&in, &place);
  if (strings && !made) {
    const uint64_t slot = ((const spw_u64 *)spw_at(place.partition->index))[place.slot];
    const uint64_t home = ((const spw_u64 *)spw_at(place.partition->pages))[(slot & SPW_HANDLE_MASK) >> 28];
    SPW_FN(spw_strings_store)(&in, home, place.group);
  }
  SPW_FN(spw_merge_states)(block, place.group, row);
  return 0;
}

int64_t SPW_FN(spw_agg_merge_page)(spw_agg *block, uint64_t page, int64_t start) {
  const int64_t bad = spw_check_table(block);
  if (bad != 0) return bad;
  if (!spw_aligned(page)) return SPW_BAD_ARGUMENT;
  const spw_page *header = spw_at(page);
  const int64_t rows = header->rows;
  if (start < 0 || start > rows) return SPW_BAD_ARGUMENT;
  if (!spw_page_rows_fit(header, block->row_width)) return SPW_BAD_PAGE;
  const int strings = has_string_states(block), fetch = fetch_ahead(block);
  for (int64_t r = start; r < rows; r++) {
    const uint64_t row = spw_page_row(page, (uint32_t)r, block->row_width);
    if (fetch && r + SLOT_AHEAD < rows) {
      fetch_slot(block, spw_row_hash(row + SLOT_AHEAD * (uint64_t)block->row_width));
      fetch_row(block, spw_row_hash(row + ROW_AHEAD * (uint64_t)block->row_width));
    }
    const int64_t result = spw_row_dead(row) ? 0 : merge_row(block, page, row, strings);
    if (result != 0) {
      block->rows_done = r;
      return result;
    }
  }
  block->rows_done = rows;
  return rows;
}

int64_t SPW_FN(spw_agg_init_group)(spw_agg *block) {
  const int64_t bad = spw_check_table(block);
  if (bad != 0) return bad;
  if (block->nkeys != 0) return SPW_BAD_ARGUMENT;
  const spw_incoming in = {block, 0, 0, 0, 0};
  spw_place place;
  int made = 0;
  const int64_t result = place_row(block, &in, 0, 0, &place, &made);
  block->rows_done = 0;
  return result == 0 ? 1 : result;
}
