#include "spw_index.h"

/* The hash of a row some rows ahead is read and its slot fetched while this one is placed. */
#define AHEAD 8u

static void place(spw_u64 *slots, uint64_t mask, uint64_t hash, uint64_t value) {
  uint64_t at = hash & mask;
  while (slots[at] != 0) at = (at + 1) & mask; /* ends: at most 2/3 are used */
  slots[at] = value;
}

int64_t SPW_FN(spw_index_build)(spw_partition *partition, int32_t row_width) {
  if (!spw_aligned((uint64_t)(uintptr_t)partition) || !spw_index_usable(partition) || row_width < SPW_ROW_HEADER ||
      row_width % 8 != 0 || partition->npages > SPW_MAX_PAGES || (partition->npages > 0 && partition->pages == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_u64 *pages = spw_at(partition->pages);
  spw_u64 *slots = spw_at(partition->index);
  const uint64_t mask = partition->index_slots - 1;
  if (partition->rows * 3 > partition->index_slots * 2) return SPW_NEEDS_INDEX;
  memset(slots, 0, partition->index_slots * 8);
  uint64_t live = 0;
  for (uint32_t p = 0; p < partition->npages; p++) {
    const spw_page *header = spw_at(pages[p]);
    for (uint32_t r = 0; r < header->rows; r++) {
      const uint64_t row = spw_page_row(pages[p], r, row_width);
      if (r + AHEAD < header->rows) {
        __builtin_prefetch(&slots[spw_row_hash(row + (uint64_t)AHEAD * (uint64_t)row_width) & mask], 1);
      }
      if (spw_row_dead(row)) continue;
      if (++live * 3 > partition->index_slots * 2) return SPW_NEEDS_INDEX;
      const uint64_t hash = spw_row_hash(row);
      place(slots, mask, hash, spw_slot(hash, p, row - pages[p]));
    }
  }
  partition->index_used = live;
  return (int64_t)live;
}
