/* The index over build rows, and what null keys mean for it. */
#include "spw_join.h"

#include "spw_hash.h"

/* The slot of a row some rows ahead is fetched while this one is placed. */
#define AHEAD 8u

int64_t SPW_FN(spw_join_spread)(uint64_t keyless, int32_t rows, uint64_t hashes, uint64_t seed) {
  if (rows < 0 || (rows > 0 && (keyless == 0 || !spw_aligned(hashes)))) return SPW_BAD_ARGUMENT;
  const uint8_t *null = spw_at(keyless);
  spw_u64 *out = spw_at(hashes);
  int64_t count = 0;
  for (int32_t i = 0; i < rows; i++) {
    if (!null[i]) continue;
    out[i] = spw_hash_finish(spw_hash_add(seed, (uint64_t)(uint32_t)i));
    count++;
  }
  return count;
}

int64_t SPW_FN(spw_join_having)(uint64_t bytes, int32_t rows, int32_t mask, uint64_t out) {
  if (rows < 0 || mask < 0 || mask > 255 || (rows > 0 && (bytes == 0 || out == 0))) return SPW_BAD_ARGUMENT;
  const uint8_t *byte = spw_at(bytes);
  spw_i32 *selected = spw_at(out);
  int32_t count = 0;
  for (int32_t i = 0; i < rows; i++) { /* written always, kept if wanted: count <= i */
    selected[count] = i;
    count += mask >> (byte[i] & 7) & 1;
  }
  return count;
}

static int same_keys(const spw_join *block, uint64_t a, uint64_t a_page, uint64_t b, uint64_t b_page) {
  const spw_key *layout = spw_join_layout(block);
  for (int32_t k = 0; k < block->nkeys; k++) {
    const uint64_t x = a + (uint64_t)layout[k].offset, y = b + (uint64_t)layout[k].offset;
    if (layout[k].type == SPW_STR) {
      if (!spw_string_equal(spw_string_at(x), a_page, spw_string_at(y), b_page)) return 0;
    } else if (memcmp(spw_at(x), spw_at(y), layout[k].type == SPW_I128 ? 16 : 8) != 0) {
      return 0;
    }
  }
  return 1;
}

int64_t SPW_FN(spw_join_index)(spw_join *block, int32_t number, int32_t page_number) {
  const int64_t bad = spw_join_check_partitions(block);
  if (bad != 0) return bad;
  if (number < 0 || number >= 1 << block->partition_bits) return SPW_BAD_ARGUMENT;
  spw_partition *partition = (spw_partition *)spw_at(block->partitions) + number;
  if (!spw_index_usable(partition) || page_number < 0 || (uint32_t)page_number >= partition->npages ||
      partition->npages > SPW_MAX_PAGES || partition->pages == 0) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_u64 *pages = spw_at(partition->pages);
  const uint64_t page = pages[page_number];
  spw_u64 *slots = spw_at(partition->index);
  const uint64_t mask = partition->index_slots - 1;
  const spw_page *header = spw_at(page);
  if (!spw_page_rows_fit(header, block->row_width)) return SPW_BAD_PAGE;
  int64_t entered = 0;
  for (uint32_t r = 0; r < header->rows; r++) {
    const uint64_t row = spw_page_row(page, r, block->row_width);
    if (r + AHEAD < header->rows) {
      __builtin_prefetch(&slots[spw_row_hash(row + (uint64_t)AHEAD * (uint64_t)block->row_width) & mask], 1);
    }
    if (spw_join_row_keyless(block, row)) continue;
    const uint64_t hash = spw_row_hash(row), salt = spw_salt(hash);
    uint64_t at = hash & mask, head = 0;
    for (; slots[at] != 0; at = (at + 1) & mask) { /* ends: at most 2/3 are used */
      if ((slots[at] & ~SPW_HANDLE_MASK) != salt) continue;
      const uint64_t other_page = pages[(slots[at] & SPW_HANDLE_MASK) >> 28];
      const uint64_t other = other_page + (slots[at] & 0x0fffffff) * 8;
      if (spw_row_hash(other) == hash && same_keys(block, row, page, other, other_page)) {
        head = slots[at] & SPW_HANDLE_MASK;
        break;
      }
    }
    if (head == 0) {
      if (spw_index_full(partition->index_used, partition->index_slots)) {
        block->need_partition = number;
        block->need = partition->index_slots * 2;
        return SPW_NEEDS_INDEX;
      }
      partition->index_used++;
    }
    spw_u64 *link = spw_join_link(block, row);
    *link = (*link & SPW_LINK_MATCHED) | head;
    slots[at] = spw_slot(hash, (uint32_t)page_number, row - page);
    entered++;
  }
  return entered;
}
