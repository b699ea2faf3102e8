/* What becomes of pairs: marks, rows without a match, strings that are kept. */
#include "spw_column.h"
#include "spw_join.h"

int64_t SPW_FN(spw_join_mark)(spw_join *block, uint64_t selection, int32_t count, int32_t builds) {
  const int64_t bad = spw_join_check_partitions(block);
  if (bad != 0) return bad;
  if (count < 0 || count > block->npairs || (selection == 0 && count != block->npairs) || block->states == 0 ||
      (count > 0 && (block->pair_rows == 0 || block->pair_builds == 0))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_i32 *kept = spw_at(selection);
  uint8_t *states = spw_at(block->states);
  spw_i32 *rows = spw_at(block->pair_rows);
  spw_u64 *build = spw_at(block->pair_builds);
  for (int32_t i = 0; i < count; i++) {
    const int32_t from = selection == 0 ? i : kept[i];
    if (from < i || from >= block->npairs) return SPW_BAD_ARGUMENT;
    rows[i] = rows[from];
    build[i] = build[from];
    if (rows[i] < 0 || rows[i] >= block->rows) return SPW_BAD_ARGUMENT;
    states[rows[i]] = SPW_JOIN_MATCHED;
    if (builds) *spw_join_link(block, spw_join_row(block, build[i])) |= SPW_LINK_MATCHED;
  }
  block->npairs = count;
  return count;
}

int64_t SPW_FN(spw_join_unmatched)(spw_join *block, int32_t number, int32_t page_number, int32_t start) {
  const int64_t bad = spw_join_check_partitions(block);
  if (bad != 0) return bad;
  if (number < 0 || number >= 1 << block->partition_bits || block->max_pairs < 1 || block->pair_builds == 0) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + number;
  if (page_number < 0 || (uint32_t)page_number >= partition->npages || partition->pages == 0) return SPW_BAD_ARGUMENT;
  const uint64_t page = ((const spw_u64 *)spw_at(partition->pages))[page_number];
  const spw_page *header = spw_at(page);
  if (!spw_page_rows_fit(header, block->row_width)) return SPW_BAD_PAGE;
  if (start < 0 || (uint32_t)start > header->rows) return SPW_BAD_ARGUMENT;
  spw_u64 *build = spw_at(block->pair_builds);
  int32_t n = 0;
  uint32_t r = (uint32_t)start;
  for (; r < header->rows && n < block->max_pairs; r++) {
    const uint64_t row = spw_page_row(page, r, block->row_width);
    spw_u64 *link = spw_join_link(block, row);
    if ((*link & SPW_LINK_MATCHED) != 0) continue;
    *link |= SPW_LINK_MATCHED;
    build[n++] = (uint64_t)number << 48 | (uint64_t)page_number << 28 | (row - page) / 8;
  }
  block->npairs = n;
  block->row = (int32_t)r;
  return n;
}

/* Long strings of a row, their bytes together. */
static uint64_t long_bytes(const spw_column *columns, int32_t ncolumns, int32_t row) {
  uint64_t bytes = 0;
  for (int32_t c = 0; c < ncolumns; c++) {
    if (columns[c].type != SPW_STR || spw_vector_null(&columns[c], (uint64_t)row)) continue;
    bytes += spw_heap_bytes((const spw_string *)spw_at(columns[c].values) + row);
  }
  return bytes;
}

int64_t SPW_FN(spw_join_keep)(uint64_t columns, int32_t ncolumns, int32_t rows, uint64_t text, uint64_t capacity,
                              uint64_t need) {
  if (ncolumns < 0 || rows < 0 || (ncolumns > 0 && !spw_aligned(columns)) || (capacity > 0 && text == 0) ||
      !spw_aligned(need)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *all = spw_at(columns);
  for (int32_t c = 0; c < ncolumns; c++) {
    if (all[c].values == 0 || all[c].kind != SPW_VECTOR) return SPW_BAD_ARGUMENT;
  }
  uint64_t used = 0;
  *(spw_u64 *)spw_at(need) = 0;
  for (int32_t i = 0; i < rows; i++) {
    const uint64_t bytes = long_bytes(all, ncolumns, i);
    if (bytes == 0) continue;
    if (bytes > capacity - used) {
      *(spw_u64 *)spw_at(need) = bytes;
      return i;
    }
    for (int32_t c = 0; c < ncolumns; c++) {
      if (all[c].type != SPW_STR || spw_vector_null(&all[c], (uint64_t)i)) continue;
      spw_string *s = (spw_string *)spw_at(all[c].values) + i;
      if (s->length <= SPW_INLINE_BYTES) continue;
      memcpy(spw_at(text + used), spw_at(s->tail.address), s->length);
      s->tail.address = text + used;
      used += s->length;
    }
  }
  return rows;
}
