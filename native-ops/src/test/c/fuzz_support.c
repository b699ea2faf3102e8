#include "fuzz.h"

#include <math.h>

const char *fuzz_case = "";

uint64_t rng_next(rng *r) {
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

uint64_t rng_below(rng *r, uint64_t bound) { return rng_next(r) % bound; }

/* ---- memory ---- */

#define CANARY_BYTES 64
#define CANARY 0xc5

typedef struct arena_block {
  struct arena_block *next;
  size_t bytes;
  uint8_t *memory;
} arena_block;

void *arena_take(arena *a, size_t bytes) {
  arena_block *block = malloc(sizeof *block);
  CHECK(block != NULL);
  block->bytes = bytes;
  block->memory = malloc(bytes + 2 * CANARY_BYTES);
  CHECK(block->memory != NULL);
  memset(block->memory, CANARY, CANARY_BYTES);
  memset(block->memory + CANARY_BYTES, 0x5a, bytes);
  memset(block->memory + CANARY_BYTES + bytes, CANARY, CANARY_BYTES);
  block->next = a->blocks;
  a->blocks = block;
  return block->memory + CANARY_BYTES;
}

uint64_t arena_address(arena *a, size_t bytes) { return (uint64_t)(uintptr_t)arena_take(a, bytes); }

void arena_check(const arena *a) {
  for (const arena_block *b = a->blocks; b != NULL; b = b->next) {
    for (size_t i = 0; i < CANARY_BYTES; i++) {
      CHECK(b->memory[i] == CANARY && "written before a buffer");
      CHECK(b->memory[CANARY_BYTES + b->bytes + i] == CANARY && "written behind a buffer");
    }
  }
}

void arena_free(arena *a) {
  arena_check(a);
  while (a->blocks != NULL) {
    arena_block *b = a->blocks;
    a->blocks = b->next;
    free(b->memory);
    free(b);
  }
}

/* ---- values ---- */

spw_str fuzz_string_of(arena *a, const char *bytes, uint32_t length) {
  spw_str s;
  memset(&s, 0, sizeof s);
  s.length = length;
  if (length <= 12) {
    memcpy((uint8_t *)&s + 4, bytes, length);
  } else {
    uint8_t *copy = malloc(length);
    CHECK(copy != NULL);
    memcpy(copy, bytes, length);
    memcpy(s.prefix, copy, 4);
    s.tail.address = (uint64_t)(uintptr_t)arena_take(a, length);
    memcpy(spw_at(s.tail.address), copy, length);
    free(copy);
  }
  return s;
}

spw_str fuzz_string(rng *r, arena *a, uint32_t max_length) {
  char bytes[256];
  const uint32_t length = (uint32_t)rng_below(r, max_length + 1);
  const char *letters = rng_one_in(r, 2) ? "aaaaaab" : "ab\xff\x80z\0";
  for (uint32_t i = 0; i < length; i++) bytes[i] = letters[rng_below(r, 6)];
  return fuzz_string_of(a, bytes, length);
}

static int64_t random_integer(rng *r) {
  static const int64_t extremes[] = {0,         1,         -1,        127,       -128,      32767,
                                     -32768,    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 719468,
                                     999999999, 100,       -719528,   11016};
  if (rng_one_in(r, 3)) return extremes[rng_below(r, sizeof extremes / sizeof extremes[0])];
  return (int64_t)rng_next(r) >> rng_below(r, 64);
}

static double random_double(rng *r) {
  static const double extremes[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 2147483647.0, -2147483648.5, 2147483648.0,
                                    9.2233720368547758e18, -9.2233720368547758e18, 1e-310, 0.5, -0.5};
  const uint64_t kind = rng_below(r, 8);
  if (kind == 1) return (double)INFINITY;
  if (kind == 2) return -(double)INFINITY;
  if (kind < 5) return extremes[rng_below(r, sizeof extremes / sizeof extremes[0])];
  return (double)random_integer(r) / 1024.0;
}

static spw_wide random_wide(rng *r) {
  const uint64_t kind = rng_below(r, 6);
  spw_wide w = (spw_wide)((spw_uwide)rng_next(r) << 64 | rng_next(r));
  if (kind == 0) return SPW_WIDE_MIN;
  if (kind == 1) return SPW_WIDE_MAX;
  if (kind == 2) {
    spw_wide power = 1;
    for (uint64_t e = rng_below(r, 39); e > 0; e--) power *= 10;
    return rng_one_in(r, 2) ? power - (spw_wide)rng_below(r, 2) : -power + (spw_wide)rng_below(r, 2);
  }
  return w >> rng_below(r, 128);
}

static void put_value(rng *r, arena *a, int32_t type, void *to, int null) {
  const int64_t i = random_integer(r);
  uint64_t bits = rng_next(r) | UINT64_C(0x7ff8000000000000); /* any NaN */
  switch (type) {
    case SPW_BOOL: *(uint8_t *)to = (uint8_t)(null ? i : i & 1); break;
    case SPW_F32: {
      float f = (float)random_double(r);
      const uint32_t nan = (uint32_t)bits | 0x7fc00000u;
      if (rng_one_in(r, 8)) memcpy(&f, &nan, 4);
      memcpy(to, &f, 4);
      break;
    }
    case SPW_F64: {
      double d = random_double(r);
      if (rng_one_in(r, 8)) memcpy(&d, &bits, 8);
      memcpy(to, &d, 8);
      break;
    }
    case SPW_I128: {
      const spw_wide w = random_wide(r);
      memcpy(to, &w, 16);
      break;
    }
    case SPW_STR: {
      spw_str s = fuzz_string(r, a, 30);
      if (null) {
        s.length = 1000000; /* must not be followed */
        s.tail.address = 8;
      }
      memcpy(to, &s, 16);
      break;
    }
    default: memcpy(to, &i, (size_t)spw_width(type)); break;
  }
}

void fuzz_column(rng *r, arena *a, spw_column *column, int32_t type, int32_t kind, int32_t rows, int null_mode) {
  const size_t n = kind == SPW_CONSTANT ? 1 : (size_t)rows;
  memset(column, 0, sizeof *column);
  column->type = type;
  column->kind = kind;
  /* Wider values are often not aligned. The others are read by the oracles as what they are. */
  const size_t off = type == SPW_BOOL || type == SPW_I32 || rng_one_in(r, 2) ? 0 : (size_t)rng_below(r, 8);
  column->values = arena_address(a, n * (size_t)spw_width(type) + off) + off;
  column->nulls = null_mode == NULLS_ABSENT ? 0 : arena_address(a, n);
  for (size_t i = 0; i < n; i++) {
    const int null = null_mode == NULLS_ALL || (null_mode == NULLS_SOME && rng_one_in(r, 3));
    if (column->nulls != 0) ((uint8_t *)spw_at(column->nulls))[i] = (uint8_t)null;
    put_value(r, a, type, (uint8_t *)spw_at(column->values) + i * (size_t)spw_width(type), null);
  }
}

/* ---- 512 bits ---- */

big big_of(spw_wide value) {
  big b = {{0}, value < 0};
  spw_uwide m = value < 0 ? -(spw_uwide)value : (spw_uwide)value;
  for (int i = 0; i < 4; i++, m >>= 32) b.limb[i] = (uint32_t)m;
  return b;
}

int big_compare_magnitude(const big *a, const big *b) {
  for (int i = BIG_LIMBS - 1; i >= 0; i--) {
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  }
  return 0;
}

big big_add(big a, big b) {
  if (a.negative == b.negative) {
    uint64_t carry = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
      carry += (uint64_t)a.limb[i] + b.limb[i];
      a.limb[i] = (uint32_t)carry;
      carry >>= 32;
    }
    return a;
  }
  if (big_compare_magnitude(&a, &b) < 0) return big_add(b, a);
  int64_t borrow = 0;
  for (int i = 0; i < BIG_LIMBS; i++) {
    borrow += (int64_t)a.limb[i] - b.limb[i];
    a.limb[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
  return a;
}

big big_mul(big a, big b) {
  big out = {{0}, a.negative != b.negative};
  for (int i = 0; i < BIG_LIMBS; i++) {
    uint64_t carry = 0;
    for (int j = 0; i + j < BIG_LIMBS; j++) {
      carry += (uint64_t)a.limb[i] * b.limb[j] + out.limb[i + j];
      out.limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return out;
}

big big_power_of_ten(int32_t exponent) {
  big out = big_of(1);
  for (int32_t e = 0; e < exponent; e++) out = big_mul(out, big_of(10));
  return out;
}

uint32_t big_divide_small(big *a, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = BIG_LIMBS - 1; i >= 0; i--) {
    rest = rest << 32 | a->limb[i];
    a->limb[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  return (uint32_t)rest;
}

big big_divide(big *a, big divisor) {
  big rest = big_of(0);
  for (int bit = BIG_LIMBS * 32 - 1; bit >= 0; bit--) {
    rest = big_add(rest, rest);
    rest.limb[0] |= a->limb[bit / 32] >> (bit % 32) & 1;
    const int fits = big_compare_magnitude(&rest, &divisor) >= 0;
    big negative = divisor;
    negative.negative = 1;
    if (fits) rest = big_add(rest, negative);
    a->limb[bit / 32] &= ~(UINT32_C(1) << (bit % 32));
    a->limb[bit / 32] |= (uint32_t)fits << (bit % 32);
  }
  return rest;
}

int big_to_wide(const big *a, spw_wide *out) {
  for (int i = 4; i < BIG_LIMBS; i++) {
    if (a->limb[i] != 0) return 0;
  }
  spw_uwide m = 0;
  for (int i = 3; i >= 0; i--) m = m << 32 | a->limb[i];
  const spw_uwide end = (spw_uwide)1 << 127;
  if (m > end || (m == end && !a->negative)) return 0;
  *out = (spw_wide)(a->negative ? -m : m);
  return 1;
}
