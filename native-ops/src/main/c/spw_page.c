#include "spw_page.h"

#include "spw_agg_check.h"

int64_t SPW_FN(spw_page_init)(uint64_t page, uint32_t capacity) {
  if (!spw_aligned(page) || !spw_page_can_be(capacity)) return SPW_BAD_ARGUMENT;
  spw_page *header = spw_at(page);
  header->capacity = capacity;
  header->rows = 0;
  header->back = capacity;
  header->reserved = 0;
  return 0;
}

static int row_inside(const spw_agg *block, const spw_page *header, uint64_t row) {
  const spw_key *keys = spw_at(block->key_layout);
  const spw_agg_fn *functions = spw_at(block->functions);
  const uint32_t nulls = spw_row_nulls(row);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].type != SPW_STR || (nulls >> k & 1) != 0) continue;
    if (!spw_page_string_inside(header, row + (uint64_t)keys[k].offset)) return 0;
  }
  for (int32_t f = 0; f < block->nfunctions; f++) {
    const spw_agg_fn *fn = &functions[f];
    if (!spw_is_string_state(fn) || *spw_extreme_seen(fn, row) == 0) continue;
    if (!spw_page_string_inside(header, row + (uint64_t)fn->state_offset)) return 0;
  }
  return 1;
}

int64_t SPW_FN(spw_page_check)(spw_agg *block, uint64_t page, uint32_t capacity) {
  const int64_t bad = spw_check_layout(block);
  if (bad != 0) return bad;
  if (!spw_aligned(page)) return SPW_BAD_ARGUMENT;
  const spw_page *header = spw_at(page);
  if (!spw_page_header_sound(header, capacity, block->row_width)) return SPW_BAD_PAGE;
  for (uint32_t r = 0; r < header->rows; r++) {
    const uint64_t row = spw_page_row(page, r, block->row_width);
    if (!spw_row_dead(row) && !row_inside(block, header, row)) return SPW_BAD_PAGE;
  }
  return 0;
}
