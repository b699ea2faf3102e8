/*
 * What every kernel file shares: the names of the builds, memory types, strings, 128-bit helpers.
 *
 * Kernel sources are compiled once for every CPU level of the platform, with SPW_SUFFIX set to the
 * level's suffix; SPW_FN(name) is the name in the build at hand, SPW_LEVELS(X) all suffixes.
 */
#ifndef SPW_BASE_H
#define SPW_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "spw_abi.h"

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the memory layouts of spw_abi.h are little-endian"
#endif

#if defined(__x86_64__)
#define SPW_LEVELS(X) X(_baseline) X(_avx2)
#else
#define SPW_LEVELS(X) X(_baseline)
#endif

#define SPW_PASTE2(a, b) a##b
#define SPW_PASTE(a, b) SPW_PASTE2(a, b)
#ifdef SPW_SUFFIX
#define SPW_FN(name) SPW_PASTE(name, SPW_SUFFIX)
#endif

/* Every iteration of the loop that follows touches element i of each array only, so it may be
 * vectorised though a destination may be one of its sources. */
#if defined(__clang__)
#define SPW_ELEMENTWISE _Pragma("clang loop vectorize(assume_safety)")
#else
#define SPW_ELEMENTWISE _Pragma("GCC ivdep")
#endif

#define SPW_INLINE static inline __attribute__((always_inline, unused))
#define SPW_LIKELY(x) __builtin_expect(!!(x), 1)
#define SPW_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Types of values in memory: any alignment, and they alias, as one buffer serves many types. */
#define SPW_LOOSE __attribute__((aligned(1), may_alias))
typedef uint8_t spw_u8;
typedef int8_t spw_i8 SPW_LOOSE;
typedef int16_t spw_i16 SPW_LOOSE;
typedef int32_t spw_i32 SPW_LOOSE;
typedef uint32_t spw_u32 SPW_LOOSE;
typedef int64_t spw_i64 SPW_LOOSE;
typedef uint64_t spw_u64 SPW_LOOSE;
typedef float spw_f32 SPW_LOOSE;
typedef double spw_f64 SPW_LOOSE;
__extension__ typedef __int128 spw_wide;
__extension__ typedef unsigned __int128 spw_uwide;
typedef spw_wide spw_i128 SPW_LOOSE;
/* struct spw_str where it may lie unaligned. */
typedef struct __attribute__((packed, may_alias)) spw_string {
  uint32_t length;
  uint8_t prefix[4];
  union __attribute__((packed)) {
    uint64_t address;
    uint8_t rest[8];
  } tail;
} spw_string;
_Static_assert(sizeof(spw_string) == sizeof(spw_str), "spw_string is spw_str without alignment");

#define SPW_INLINE_BYTES 12u
#define SPW_MAX_DECIMAL_DIGITS 38

/* An address as Java gives it. */
SPW_INLINE void *spw_at(uint64_t address) { return (void *)(uintptr_t)address; }

/* The width of one value of a type in a column, or 0 if there is no such type. */
SPW_INLINE int32_t spw_width(int32_t type) {
  switch (type) {
    case SPW_BOOL:
    case SPW_I8: return 1;
    case SPW_I16: return 2;
    case SPW_I32:
    case SPW_F32: return 4;
    case SPW_I64:
    case SPW_F64: return 8;
    case SPW_I128:
    case SPW_STR: return 16;
    default: return 0;
  }
}

/* Stands for the null bytes of what has none, with stride 0. */
static const uint8_t spw_not_null __attribute__((unused)) = 0;

SPW_INLINE int spw_aligned(uint64_t address) { return address != 0 && (address & 7) == 0; }

/* ---- strings: `base` is added to the address of a long one (0, or the page it lies in) ---- */

SPW_INLINE const uint8_t *spw_bytes(const spw_string *s, uint64_t base) {
  return s->length <= SPW_INLINE_BYTES ? s->prefix : (const uint8_t *)spw_at(base + s->tail.address);
}

SPW_INLINE void spw_make_string(spw_string *out, const uint8_t *bytes, uint32_t length) {
  spw_str s;
  memset(&s, 0, sizeof s);
  s.length = length;
  if (length <= SPW_INLINE_BYTES) {
    uint8_t all[SPW_INLINE_BYTES] = {0};
    if (length != 0) memcpy(all, bytes, length);
    memcpy(s.prefix, all, 4);
    memcpy(s.tail.rest, all + 4, 8);
  } else {
    memcpy(s.prefix, bytes, 4);
    s.tail.address = (uint64_t)(uintptr_t)bytes;
  }
  memcpy(out, &s, sizeof s);
}

SPW_INLINE int spw_string_equal(const spw_string *a, uint64_t a_base, const spw_string *b, uint64_t b_base) {
  uint64_t x, y;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  if (x != y) return 0; /* length or first four bytes differ */
  if (a->length <= SPW_INLINE_BYTES) return a->tail.address == b->tail.address;
  return memcmp(spw_bytes(a, a_base) + 4, spw_bytes(b, b_base) + 4, a->length - 4) == 0;
}

/* Below, equal or above 0 as a is below, equal to or above b; bytes unsigned, then the length. */
SPW_INLINE int spw_string_compare(const spw_string *a, uint64_t a_base, const spw_string *b, uint64_t b_base) {
  uint32_t x, y;
  memcpy(&x, a->prefix, 4);
  memcpy(&y, b->prefix, 4);
  if (x != y) return __builtin_bswap32(x) < __builtin_bswap32(y) ? -1 : 1;
  uint32_t common = a->length < b->length ? a->length : b->length;
  if (common > 4) {
    int c = memcmp(spw_bytes(a, a_base) + 4, spw_bytes(b, b_base) + 4, common - 4);
    if (c != 0) return c;
  }
  return a->length < b->length ? -1 : a->length > b->length;
}

/* ---- floats as Spark orders them: NaN equal to NaN and above all, -0.0 equal to 0.0 ---- */

SPW_INLINE int spw_f64_less(double x, double y) { return (x < y) | ((y != y) & (x == x)); }
SPW_INLINE int spw_f32_less(float x, float y) { return (x < y) | ((y != y) & (x == x)); }

/* ---- 128 bits ---- */

#define SPW_WIDE_MAX ((spw_wide)(~(spw_uwide)0 >> 1))
#define SPW_WIDE_MIN (-SPW_WIDE_MAX - 1)

SPW_INLINE spw_uwide spw_magnitude(spw_wide x) { return x < 0 ? -(spw_uwide)x : (spw_uwide)x; }

/* 10^exponent, 0 <= exponent <= 38. */
SPW_INLINE spw_wide spw_power_of_ten(int32_t exponent) {
  spw_uwide result = 1, base = 10;
  for (int32_t e = exponent; e > 0; e >>= 1) {
    if (e & 1) result *= base;
    base *= base;
  }
  return (spw_wide)result;
}

SPW_INLINE int spw_wide_add(spw_wide x, spw_wide y, spw_wide *out) { return __builtin_add_overflow(x, y, out); }
SPW_INLINE int spw_wide_sub(spw_wide x, spw_wide y, spw_wide *out) { return __builtin_sub_overflow(x, y, out); }

/* By hand: the compilers' own 128-bit overflow check needs a run-time function that not all have. */
SPW_INLINE int spw_wide_mul(spw_wide x, spw_wide y, spw_wide *out) {
  if (x == (int64_t)x && y == (int64_t)y) {
    *out = x * y;
    return 0;
  }
  spw_uwide a = spw_magnitude(x), b = spw_magnitude(y);
  uint64_t ah = (uint64_t)(a >> 64), bh = (uint64_t)(b >> 64);
  if (ah != 0 && bh != 0) return 1;
  spw_uwide cross = (spw_uwide)ah * (uint64_t)b + (spw_uwide)bh * (uint64_t)a;
  if (cross >> 64 != 0) return 1;
  spw_uwide low = (spw_uwide)(uint64_t)a * (uint64_t)b;
  spw_uwide sum = (cross << 64) + low;
  if (sum < low) return 1;
  int negative = (x < 0) != (y < 0);
  if (sum > (spw_uwide)SPW_WIDE_MAX + (spw_uwide)negative) return 1;
  *out = (spw_wide)(negative ? -sum : sum);
  return 0;
}

/* From `length` (1..16) big-endian bytes in two's complement. */
SPW_INLINE spw_wide spw_wide_from_bytes(const uint8_t *bytes, uint32_t length) {
  spw_uwide value = (bytes[0] & 0x80) != 0 ? ~(spw_uwide)0 : 0;
  for (uint32_t i = 0; i < length; i++) value = (value << 8) | bytes[i];
  return (spw_wide)value;
}

#endif
