/*
 * Minima, maxima, first and last values that are strings. Their bytes lie in the page of their group's row, so that a page
 * refers to nothing outside itself; a row whose page has no room for a longer string moves to the
 * partition's last page and leaves a dead row behind.
 */
#include "spw_agg.h"

/* What a null that counts brings, as a first or last value; its bytes are nobody's. */
static const spw_string null_string;

/* The string that comes in for a function, null_string or NULL; its address is relative to in->page. */
static const spw_string *incoming(const spw_incoming *in, const spw_agg_fn *f) {
  if (in->page != 0) {
    const int64_t flags = *spw_extreme_seen(f, in->at);
    if (flags == 0) return NULL;
    return spw_is_end(f) && (flags & SPW_FLAG_NULL) != 0 ? &null_string
                                                         : spw_string_at(in->at + (uint64_t)f->state_offset);
  }
  const spw_column *column = &spw_input_columns(in->block)[f->input];
  const int null = spw_column_null(column, in->at);
  if (spw_is_end(f)) {
    if (spw_merges(in->block, f)) {
      const spw_column *set = &spw_input_columns(in->block)[f->input2];
      if (spw_column_null(set, in->at) || !((const uint8_t *)spw_at(set->values))[in->at * spw_column_stride(set)]) {
        return NULL;
      }
    } else if (null && f->precision) {
      return NULL;
    }
    if (null) return &null_string;
  }
  if (null) return NULL;
  return (const spw_string *)spw_at(column->values) + in->at * spw_column_stride(column);
}

/* Whether the incoming string replaces what the group has. */
static int replaces(const spw_incoming *in, const spw_agg_fn *f, const spw_string *s, uint64_t page, uint64_t group) {
  if (*spw_extreme_seen(f, group) == 0) return 1;
  if (spw_is_end(f)) return f->op == SPW_LAST;
  const int c = spw_string_compare(s, in->page, spw_string_at(group + (uint64_t)f->state_offset), page);
  return f->op == SPW_MIN ? c < 0 : c > 0;
}

/* Whether it can be written over the bytes of the one that it replaces. */
static int fits_over(const spw_agg_fn *f, const spw_string *s, uint64_t group) {
  if (*spw_extreme_seen(f, group) == 0) return 0;
  const spw_string *old = spw_string_at(group + (uint64_t)f->state_offset);
  return old->length > SPW_INLINE_BYTES && s->length <= old->length;
}

uint64_t SPW_FN(spw_strings_heap)(const spw_incoming *in) {
  const spw_agg_fn *functions = spw_functions(in->block);
  uint64_t bytes = 0;
  for (int32_t i = 0; i < in->block->nfunctions; i++) {
    if (!spw_is_string_state(&functions[i])) continue;
    const spw_string *s = incoming(in, &functions[i]);
    if (s != NULL) bytes += spw_heap_bytes(s);
  }
  return bytes;
}

static uint64_t key_heap(const spw_agg *block, uint64_t group) {
  const spw_key *keys = spw_key_layout(block);
  uint64_t bytes = 0;
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].type != SPW_STR || (spw_row_nulls(group) >> k & 1) != 0) continue;
    bytes += spw_heap_bytes(spw_string_at(group + (uint64_t)keys[k].offset));
  }
  return bytes;
}

static uint64_t page_of(const spw_place *place) {
  const spw_u64 *slots = spw_at(place->partition->index), *pages = spw_at(place->partition->pages);
  return pages[(slots[place->slot] & SPW_HANDLE_MASK) >> 28];
}

int64_t SPW_FN(spw_strings_prepare)(const spw_incoming *in, const spw_place *place, uint64_t *need) {
  const spw_agg_fn *functions = spw_functions(in->block);
  const uint64_t page = page_of(place), group = place->group;
  const int32_t row_width = in->block->row_width;
  uint64_t here = 0;                                                    /* bytes needed beside the row as it lies */
  uint64_t moved = (uint64_t)row_width + key_heap(in->block, group);    /* bytes needed in another page */
  for (int32_t i = 0; i < in->block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    if (!spw_is_string_state(f)) continue;
    const spw_string *s = incoming(in, f);
    if (s != NULL && replaces(in, f, s, page, group)) {
      moved += spw_heap_bytes(s);
      if (!fits_over(f, s, group)) here += spw_heap_bytes(s);
    } else if (*spw_extreme_seen(f, group) != 0) {
      moved += spw_heap_bytes(spw_string_at(group + (uint64_t)f->state_offset));
    }
  }
  if (here <= spw_page_free(page, row_width)) return 0;
  if (moved <= spw_page_free(spw_last_page(place->partition), row_width)) return 1;
  *need = sizeof(spw_page) + moved;
  return SPW_NEEDS_PAGE;
}

void SPW_FN(spw_strings_relocate)(const spw_incoming *in, spw_place *place) {
  const spw_agg *block = in->block;
  const spw_agg_fn *functions = spw_functions(block);
  const spw_key *keys = spw_key_layout(block);
  const uint64_t from_page = page_of(place), to_page = spw_last_page(place->partition), old = place->group;
  /* What is about to be replaced is not carried along. */
  for (int32_t i = 0; i < block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    if (!spw_is_string_state(f)) continue;
    const spw_string *s = incoming(in, f);
    if (s != NULL && replaces(in, f, s, from_page, old)) *spw_extreme_seen(f, old) = 0;
  }
  const uint64_t row = spw_page_add_row(to_page, block->row_width);
  memcpy(spw_at(row), spw_at(old), (size_t)block->row_width);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].type != SPW_STR || (spw_row_nulls(row) >> k & 1) != 0) continue;
    const uint64_t offset = (uint64_t)keys[k].offset;
    spw_page_put_string(to_page, row + offset, spw_string_at(old + offset), from_page);
  }
  for (int32_t i = 0; i < block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    if (!spw_is_string_state(f) || *spw_extreme_seen(f, row) == 0) continue;
    const uint64_t offset = (uint64_t)f->state_offset;
    spw_page_put_string(to_page, row + offset, spw_string_at(old + offset), from_page);
  }
  spw_row_kill(old);
  spw_u64 *slots = spw_at(place->partition->index);
  slots[place->slot] = spw_slot(spw_row_hash(row), place->partition->npages - 1, row - to_page);
  place->group = row;
}

void SPW_FN(spw_strings_store)(const spw_incoming *in, uint64_t page, uint64_t group) {
  const spw_agg_fn *functions = spw_functions(in->block);
  for (int32_t i = 0; i < in->block->nfunctions; i++) {
    const spw_agg_fn *f = &functions[i];
    if (!spw_is_string_state(f)) continue;
    const spw_string *s = incoming(in, f);
    if (s == NULL || !replaces(in, f, s, page, group)) continue;
    const uint64_t slot = group + (uint64_t)f->state_offset;
    if (s->length > SPW_INLINE_BYTES && fits_over(f, s, group)) {
      spw_string *kept = spw_string_at(slot);
      memcpy(spw_at(page + kept->tail.address), spw_bytes(s, in->page), s->length);
      kept->length = s->length;
      memcpy(kept->prefix, s->prefix, sizeof kept->prefix);
    } else {
      spw_page_put_string(page, slot, s, in->page);
    }
    *spw_extreme_seen(f, group) = s == &null_string ? SPW_FLAG_SEEN | SPW_FLAG_NULL : SPW_FLAG_SEEN;
  }
}
