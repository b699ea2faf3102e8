/*
 * Sorting rows in pages. See spw_abi_sort.h for each kernel.
 */
#ifndef SPW_SORT_H
#define SPW_SORT_H

#include "spw_rows.h"

#define SPW_DECLARE_SORT(suffix)                                                                                  \
  int64_t spw_sort_index##suffix(spw_sort *block, uint32_t page, uint32_t first, uint64_t entries, uint32_t room); \
  int64_t spw_sort_entries##suffix(spw_sort *block, uint64_t entries, uint64_t scratch, uint32_t count);          \
  int64_t spw_sort_start##suffix(spw_sort *block);                                                                \
  int64_t spw_sort_merge##suffix(spw_sort *block, uint64_t page, uint32_t max_rows);                              \
  int64_t spw_sort_skip##suffix(spw_sort *block);                                                                 \
  int64_t spw_sort_first_select##suffix(spw_sort_first *block);
SPW_LEVELS(SPW_DECLARE_SORT)

#define SPW_SORT_MAX_ENTRIES 65536u
#define SPW_SORT_MAX_RUNS (1 << 20)

/* What a prefix holds of the keys; made anew in each call. */
typedef struct spw_sort_plan {
  const spw_key *layout;
  const spw_sort_key *keys;
  int32_t nkeys;
  int32_t whole;      /* 1: all 64 bits are the first key's, a null taking the least or the greatest */
  int32_t exact;      /* so many keys are wholly in the prefix; `whole`: unless it is null's code */
  int32_t nullable;   /* `whole`: of the first key */
  uint64_t null_code; /* `whole`: of a null */
} spw_sort_plan;

/* Bytes of a type's code: big-endian, in ascending order. Strings and 128 bits go on behind it. */
SPW_INLINE int32_t spw_sort_code_bytes(int32_t type) {
  switch (type) {
    case SPW_BOOL:
    case SPW_I8: return 1;
    case SPW_I16: return 2;
    case SPW_I32:
    case SPW_F32: return 4;
    default: return 8;
  }
}

SPW_INLINE int spw_sort_code_exact(int32_t type) { return type != SPW_STR && type != SPW_I128; }

SPW_INLINE uint64_t spw_sort_f64_code(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  if (value != value) bits = UINT64_C(0x7ff8000000000000);
  if (value == 0) bits = 0;
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

SPW_INLINE uint32_t spw_sort_f32_code(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  if (value != value) bits = UINT32_C(0x7fc00000);
  if (value == 0) bits = 0;
  return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

/* 128 bits in 64, in order: the sign, the length of the magnitude, and its leading 56 bits. */
SPW_INLINE uint64_t spw_sort_wide_code(spw_wide value) {
  const spw_uwide magnitude = (spw_uwide)(value < 0 ? ~value : value);
  const uint64_t high = (uint64_t)(magnitude >> 64), low = (uint64_t)magnitude;
  const int bits = high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
  const uint64_t lead = bits <= 56 ? low : (uint64_t)(magnitude >> (bits - 56));
  const uint64_t code = UINT64_C(1) << 63 | (uint64_t)bits << 56 | lead;
  return value < 0 ? ~code : code;
}

SPW_INLINE uint64_t spw_sort_string_code(const spw_string *s, uint64_t page) {
  uint64_t code = 0;
  memcpy(&code, spw_bytes(s, page), s->length < 8 ? s->length : 8);
  return __builtin_bswap64(code);
}

/* The code of a value that is not null, in the lowest bytes; before the direction. */
SPW_INLINE uint64_t spw_sort_code(int32_t type, uint64_t slot, uint64_t page) {
  switch (type) {
    case SPW_BOOL: return *(const spw_u64 *)spw_at(slot) & 0xff;
    case SPW_I8: return (*(const spw_u64 *)spw_at(slot) ^ 0x80) & 0xff;
    case SPW_I16: return (*(const spw_u64 *)spw_at(slot) ^ 0x8000) & 0xffff;
    case SPW_I32: return (*(const spw_u64 *)spw_at(slot) ^ UINT64_C(0x80000000)) & UINT64_C(0xffffffff);
    case SPW_F32: return spw_sort_f32_code(*(const spw_u32 *)spw_at(slot));
    case SPW_I64: return *(const spw_u64 *)spw_at(slot) ^ UINT64_C(1) << 63;
    case SPW_F64: return spw_sort_f64_code(*(const spw_u64 *)spw_at(slot));
    case SPW_I128: return spw_sort_wide_code(*spw_i128_at(slot));
    default: return spw_sort_string_code(spw_string_at(slot), page);
  }
}

/* From which key on rows of this equal prefix are to be compared; nkeys: not at all. */
SPW_INLINE int32_t spw_sort_tie_from(const spw_sort_plan *plan, uint64_t prefix) {
  if (plan->whole && plan->nullable && prefix == plan->null_code) return 0;
  return plan->exact;
}

#ifdef SPW_SUFFIX
/* spw_sort.c: checks what all calls have in common, and plans; 0 or an error. */
int64_t SPW_FN(spw_sort_prepare)(const spw_sort *block, spw_sort_plan *plan);

/* spw_sort.c: below, equal or above 0; keys [from, nkeys) of two rows, each with its page. */
int SPW_FN(spw_sort_compare)(const spw_sort_plan *plan, int32_t from, uint64_t a, uint64_t a_page, uint64_t b,
                             uint64_t b_page);
#endif

#endif
