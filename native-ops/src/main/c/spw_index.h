/*
 * The hash index of a partition: linear probing over 8-byte slots, a salt of the hash above the
 * row's handle. It holds nothing that the pages do not, so it can be dropped and rebuilt.
 */
#ifndef SPW_INDEX_H
#define SPW_INDEX_H

#include "spw_page.h"

#define SPW_DECLARE_INDEX(suffix) int64_t spw_index_build##suffix(spw_partition *partition, int32_t row_width);
SPW_LEVELS(SPW_DECLARE_INDEX)

#define SPW_MIN_SLOTS 64u
#define SPW_MAX_PAGES (1u << 20)
#define SPW_HANDLE_MASK UINT64_C(0x0000ffffffffffff)

SPW_INLINE uint64_t spw_salt(uint64_t hash) { return hash << 16 & ~SPW_HANDLE_MASK; }

SPW_INLINE uint64_t spw_slot(uint64_t hash, uint32_t page_number, uint64_t offset) {
  return spw_salt(hash) | (uint64_t)page_number << 28 | offset / 8;
}

/* The address of the row that a slot names. */
SPW_INLINE uint64_t spw_slot_row(const spw_partition *partition, uint64_t slot) {
  const spw_u64 *pages = spw_at(partition->pages);
  return pages[(slot & SPW_HANDLE_MASK) >> 28] + (slot & 0x0fffffff) * 8;
}

/* Which of the 1 << bits partitions a hash belongs to, `shift` bits of it being used by the levels above. */
SPW_INLINE int32_t spw_partition_of(uint64_t hash, int32_t bits, int32_t shift) {
  return bits == 0 ? 0 : (int32_t)(hash << shift >> (64 - bits));
}

/* The capacity of a further page of a partition that has to have `need` bytes with its header; or an
 * error, as no memory would help: the page cannot be, or cannot be named. */
SPW_INLINE int64_t spw_next_page_bytes(const spw_partition *partition, uint64_t need) {
  need = (need + 7) & ~UINT64_C(7);
  if (need > SPW_MAX_CAPACITY) return SPW_TOO_LONG;
  if (partition->npages >= SPW_MAX_PAGES) return SPW_BAD_ARGUMENT;
  return need < SPW_MIN_CAPACITY ? (int64_t)SPW_MIN_CAPACITY : (int64_t)need;
}

SPW_INLINE uint64_t spw_last_page(const spw_partition *partition) {
  const spw_u64 *pages = spw_at(partition->pages);
  return pages[partition->npages - 1];
}

/* Whether one more row would take the index past 2/3. */
SPW_INLINE int spw_index_full(uint64_t used, uint64_t slots) { return (used + 1) * 3 > slots * 2; }

/* The slots of an index with room for `rows` and one more. */
SPW_INLINE uint64_t spw_index_slots_for(uint64_t rows) {
  uint64_t slots = SPW_MIN_SLOTS;
  while (spw_index_full(rows, slots)) slots *= 2;
  return slots;
}

SPW_INLINE int spw_index_usable(const spw_partition *partition) {
  return partition->index != 0 && partition->index_slots >= 2 &&
         (partition->index_slots & (partition->index_slots - 1)) == 0;
}

#endif
