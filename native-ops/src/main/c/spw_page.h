/*
 * Rows in pages: the layout of spw_abi.h as functions, and the kernels spw_page_init and
 * spw_page_check.
 */
#ifndef SPW_PAGE_H
#define SPW_PAGE_H

#include "spw_base.h"

#define SPW_DECLARE_PAGE(suffix)                                    \
  int64_t spw_page_init##suffix(uint64_t page, uint32_t capacity);  \
  int64_t spw_page_check##suffix(spw_agg *block, uint64_t page, uint32_t capacity);
SPW_LEVELS(SPW_DECLARE_PAGE)

#define SPW_MIN_CAPACITY 256u
#define SPW_MAX_CAPACITY 0x7ffffff8u
#define SPW_ROW_DEAD 1u

SPW_INLINE uint64_t spw_row_hash(uint64_t row) { return *(const spw_u64 *)spw_at(row); }
SPW_INLINE uint32_t spw_row_nulls(uint64_t row) { return *(const spw_u32 *)spw_at(row + 8); }
SPW_INLINE uint32_t spw_row_flags(uint64_t row) { return *(const spw_u32 *)spw_at(row + 12); }
SPW_INLINE int spw_row_dead(uint64_t row) { return (spw_row_flags(row) & SPW_ROW_DEAD) != 0; }
SPW_INLINE void spw_row_kill(uint64_t row) { *(spw_u32 *)spw_at(row + 12) |= SPW_ROW_DEAD; }

SPW_INLINE spw_i64 *spw_i64_at(uint64_t address) { return spw_at(address); }
SPW_INLINE spw_f64 *spw_f64_at(uint64_t address) { return spw_at(address); }
SPW_INLINE spw_i128 *spw_i128_at(uint64_t address) { return spw_at(address); }
SPW_INLINE spw_string *spw_string_at(uint64_t address) { return spw_at(address); }

SPW_INLINE uint64_t spw_page_row(uint64_t page, uint32_t row, int32_t row_width) {
  return page + sizeof(spw_page) + (uint64_t)row * (uint64_t)row_width;
}

SPW_INLINE uint32_t spw_page_free(uint64_t page, int32_t row_width) {
  const spw_page *header = spw_at(page);
  return header->back - (uint32_t)sizeof(spw_page) - header->rows * (uint32_t)row_width;
}

/* Whether a page of so many bytes can be. */
SPW_INLINE int spw_page_can_be(uint32_t capacity) {
  return capacity >= SPW_MIN_CAPACITY && capacity <= SPW_MAX_CAPACITY && capacity % 8 == 0;
}

/* Whether the rows end before the strings begin. */
SPW_INLINE int spw_page_rows_fit(const spw_page *header, int32_t row_width) {
  return sizeof(spw_page) + (uint64_t)header->rows * (uint64_t)row_width <= header->back;
}

/* Whether the header of a page of `capacity` bytes does not contradict itself. */
SPW_INLINE int spw_page_header_sound(const spw_page *header, uint32_t capacity, int32_t row_width) {
  return header->capacity == capacity && spw_page_can_be(capacity) && header->back <= capacity &&
         spw_page_rows_fit(header, row_width);
}

/* Whether the bytes of a row's string lie among the strings of its page, whose header is sound. */
SPW_INLINE int spw_page_string_inside(const spw_page *header, uint64_t slot) {
  const spw_string *s = spw_string_at(slot);
  if (s->length <= SPW_INLINE_BYTES) return 1;
  return s->tail.address >= header->back && s->tail.address <= header->capacity &&
         s->length <= header->capacity - s->tail.address;
}

/* Takes the next row; the caller has seen that it fits, and fills it. */
SPW_INLINE uint64_t spw_page_add_row(uint64_t page, int32_t row_width) {
  spw_page *header = spw_at(page);
  return spw_page_row(page, header->rows++, row_width);
}

/* The bytes that a string needs in a page beside its 16 in the row. */
SPW_INLINE uint64_t spw_heap_bytes(const spw_string *s) { return s->length <= SPW_INLINE_BYTES ? 0 : s->length; }

/* Stores a string in a row of the page; `base` is what its address is relative to. It fits. */
SPW_INLINE void spw_page_put_string(uint64_t page, uint64_t slot, const spw_string *s, uint64_t base) {
  spw_string copy;
  memcpy(&copy, s, sizeof copy);
  if (copy.length > SPW_INLINE_BYTES) {
    spw_page *header = spw_at(page);
    header->back -= copy.length;
    memcpy(spw_at(page + header->back), spw_at(base + copy.tail.address), copy.length);
    copy.tail.address = header->back;
  }
  memcpy(spw_at(slot), &copy, sizeof copy);
}

/* The string of a row with the address of its bytes instead of their offset in the page. */
SPW_INLINE spw_string spw_page_string(uint64_t page, uint64_t slot) {
  spw_string s;
  memcpy(&s, spw_at(slot), sizeof s);
  if (s.length > SPW_INLINE_BYTES) s.tail.address += page;
  return s;
}

/* ---- states of the functions ---- */

SPW_INLINE int spw_is_extreme(const spw_agg_fn *f) { return f->op == SPW_MIN || f->op == SPW_MAX; }
SPW_INLINE int spw_is_end(const spw_agg_fn *f) { return f->op == SPW_FIRST || f->op == SPW_LAST; }
SPW_INLINE int spw_is_string_state(const spw_agg_fn *f) {
  return (spw_is_extreme(f) || spw_is_end(f)) && f->type == SPW_STR;
}

/* Where a minimum's or maximum's "seen" lies, or a first or last value's flags, behind the value. */
SPW_INLINE spw_i64 *spw_extreme_seen(const spw_agg_fn *f, uint64_t row) {
  const uint64_t value_bytes = f->type == SPW_I128 || f->type == SPW_STR ? 16 : 8;
  return spw_i64_at(row + (uint64_t)f->state_offset + value_bytes);
}

#endif
