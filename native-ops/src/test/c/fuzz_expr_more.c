/*
 * The operations of spw_abi_expr.h, one at a time: against an oracle where a plain one can be had,
 * and all of them against themselves with another chunk size, another heap and another level. Rows
 * left to the caller become null here, and must be the same rows whatever the circumstances.
 */
#include <math.h>

#include "fuzz_expr.h"

typedef struct form {
  int op;
  int32_t a, b, c, dst; /* types; b, c 0: none */
} form;

static const int32_t decimals[] = {SPW_I64, SPW_I128};
static const int32_t whole[] = {SPW_I8, SPW_I16, SPW_I32, SPW_I64};
static const int32_t numbers[] = {SPW_I32, SPW_I64, SPW_F32, SPW_F64};

static int32_t any_of(rng *r, const int32_t *types, uint64_t n) { return types[rng_below(r, n)]; }

static form form_of(rng *r, int op) {
  const int32_t number = any_of(r, numbers, 4), integer = any_of(r, numbers, 2), bits = any_of(r, whole, 4);
  const int32_t x = any_of(r, decimals, 2), y = any_of(r, decimals, 2), z = any_of(r, decimals, 2);
  const int32_t any = (int32_t)(1 + rng_below(r, 9)), other = (int32_t)(1 + rng_below(r, 9));
  const int32_t S = SPW_STR, I = SPW_I32, L = SPW_I64, D = SPW_F64;
  switch (op) {
    case SPW_REM:
    case SPW_PMOD: return (form){op, number, number, 0, number};
    case SPW_IDIV: return (form){op, integer, integer, 0, integer};
    case SPW_FLOOR_DIV: return (form){op, L, L, 0, L};
    case SPW_ABS: return (form){op, rng_one_in(r, 5) ? SPW_I128 : number, 0, 0, 0};
    case SPW_BIT_AND:
    case SPW_BIT_OR:
    case SPW_BIT_XOR: return (form){op, bits, bits, 0, bits};
    case SPW_BIT_NOT: return (form){op, bits, 0, 0, bits};
    case SPW_SHIFT_LEFT:
    case SPW_SHIFT_RIGHT:
    case SPW_SHIFT_RIGHT_UNSIGNED: return (form){op, integer, I, 0, integer};
    case SPW_SQRT:
    case SPW_SIGNUM: return (form){op, D, 0, 0, D};
    case SPW_CEIL:
    case SPW_FLOOR: return (form){op, D, 0, 0, L};
    case SPW_DEC_DOWN: return (form){op, x, 0, 0, y};
    case SPW_DEC_LOW: return (form){op, x, 0, 0, L};
    case SPW_DEC_ADD_WIDE:
    case SPW_DEC_SUB_WIDE:
    case SPW_DEC_MUL_WIDE:
    case SPW_DEC_DIV: return (form){op, x, y, 0, z};
    case SPW_DEC_TO_F64: return (form){op, x, D, 0, D};
    case SPW_HOST: return (form){op, any, 0, 0, other};
    case SPW_INT_TO_STR: return (form){op, integer, 0, 0, S};
    case SPW_DATE_TO_STR: return (form){op, I, 0, 0, S};
    case SPW_DEC_TO_STR: return (form){op, x, I, 0, S};
    case SPW_STR_TO_INT: return (form){op, S, 0, 0, bits};
    case SPW_STR_TO_DATE:
    case SPW_LENGTH:
    case SPW_BYTES: return (form){op, S, 0, 0, I};
    case SPW_SUBSTRING: return (form){op, S, I, I, S};
    case SPW_UPPER:
    case SPW_LOWER:
    case SPW_REVERSE: return (form){op, S, 0, 0, S};
    case SPW_LIKE: return (form){op, S, S, 0, SPW_BOOL};
    case SPW_LOCATE: return (form){op, S, S, I, I};
    case SPW_REPLACE:
    case SPW_JOIN: return (form){op, S, S, S, S};
    case SPW_REPEAT: return (form){op, S, I, 0, S};
    case SPW_LPAD:
    case SPW_RPAD: return (form){op, S, I, S, S};
    case SPW_SUBSTRING_INDEX: return (form){op, S, S, I, S};
    case SPW_DATE_PART:
    case SPW_QUARTER_START: return (form){op, I, 0, 0, I};
    case SPW_ADD_MONTHS: return (form){op, I, I, 0, I};
    case SPW_MICROS_TO_DAYS:
    case SPW_SECOND_OF_DAY: return (form){op, L, 0, 0, I};
    case SPW_DAYS_TO_MICROS: return (form){op, I, I, 0, L};
    case SPW_MURMUR3: return (form){op, any, I, 0, I};
    default: return (form){op, S, S, 0, S}; /* TRIM, LTRIM, RTRIM, CONCAT */
  }
}

static int32_t imm_for(rng *r, int op) {
  const int32_t precision = (int32_t)rng_below(r, 39), natural = (int32_t)rng_below(r, 77);
  switch (op) {
    case SPW_DEC_DOWN: return (int32_t)(rng_below(r, rng_one_in(r, 4) ? 200 : 40) | rng_below(r, 5) << 8);
    case SPW_DEC_ADD_WIDE:
    case SPW_DEC_SUB_WIDE: {
      const int32_t up = (int32_t)rng_below(r, 39);
      return precision | (rng_one_in(r, 2) ? up << 6 : up << 12) | (int32_t)rng_below(r, 40) << 18;
    }
    case SPW_DEC_MUL_WIDE: return precision | natural << 6 | (int32_t)rng_below(r, (uint64_t)natural + 1) << 13;
    case SPW_DEC_DIV: return precision | natural << 6 | (int32_t)rng_below(r, 39) << 13;
    case SPW_DATE_PART: return (int32_t)(1 + rng_below(r, SPW_PART_WEEK_START));
    case SPW_MICROS_TO_DAYS:
    case SPW_SECOND_OF_DAY: return (int32_t)rng_below(r, 172799) - 86399;
    case SPW_TRIM:
    case SPW_LTRIM:
    case SPW_RTRIM: return (int32_t)rng_below(r, 2);
    default: return 0;
  }
}

/* ---- oracles ---- */

static big big_down(big n, int32_t digits) {
  uint32_t last = 0;
  for (; digits > 0; digits--) last = big_divide_small(&n, 10);
  return last >= 5 ? big_add(n, big_of(1)) : n;
}

static spw_wide decimal(const scalar *a) { return a->type == SPW_I64 ? a->v.i64 : a->v.i128; }

/* A magnitude as the destination's decimal, or null. */
static scalar decimal_result(big n, int negative, int32_t precision, int32_t type) {
  const big limit = big_power_of_ten(precision);
  scalar s;
  spw_wide value = 0;
  memset(&s, 0, sizeof s);
  s.type = type;
  n.negative = negative;
  s.null = big_compare_magnitude(&n, &limit) >= 0 || !big_to_wide(&n, &value) ||
           (type == SPW_I64 && value != (int64_t)value);
  if (type == SPW_I64) s.v.i64 = (int64_t)value;
  else s.v.i128 = value;
  return s;
}

static scalar wide_decimals(const spw_instr *code, int32_t type, const scalar *a, const scalar *b) {
  big x = big_of(decimal(a)), y = big_of(decimal(b));
  const int negative = x.negative != y.negative;
  const int32_t precision = code->imm & 63;
  if (code->op == SPW_DEC_ADD_WIDE || code->op == SPW_DEC_SUB_WIDE) {
    x = big_mul(x, big_power_of_ten(code->imm >> 6 & 63));
    y = big_mul(y, big_power_of_ten(code->imm >> 12 & 63));
    if (code->op == SPW_DEC_SUB_WIDE) y.negative = !y.negative;
    x = big_add(x, y);
    const int below = x.negative;
    x.negative = 0;
    return decimal_result(big_down(x, code->imm >> 18), below, precision, type);
  }
  const int32_t middle = code->imm >> 6 & 127, scale = code->imm >> 13;
  x.negative = y.negative = 0;
  if (code->op == SPW_DEC_DIV) {
    scalar null = decimal_result(big_of(0), 0, 1, type);
    null.null = 1;
    if (decimal(b) == 0) return null;
    x = big_mul(x, big_power_of_ten(middle));
    big rest = big_divide(&x, y);
    rest = big_add(rest, rest);
    if (scale == 38 && big_compare_magnitude(&rest, &y) >= 0) x = big_add(x, big_of(1));
    return decimal_result(big_down(x, 38 - scale), negative, precision, type);
  }
  return decimal_result(big_down(big_mul(x, y), middle - scale), negative, precision, type);
}

static uint32_t first_byte_says(uint8_t b) {
  return b >= 0xc2 && b <= 0xdf ? 2 : b >= 0xe0 && b <= 0xef ? 3 : b >= 0xf0 && b <= 0xf4 ? 4 : 1;
}

/* Where characters start, and the end: n + 1 offsets. */
static uint32_t characters(const spw_str *s, uint32_t *at) {
  uint32_t n = 0, i = 0;
  for (; i < s->length; i += first_byte_says(str_bytes(s)[i])) at[n++] = i;
  at[n] = s->length;
  return n;
}

/* Whether text from t on matches the pattern from p on, a character of either at a time. */
static int matches(const spw_str *text, uint32_t t, const spw_str *pattern, uint32_t p) {
  if (p == pattern->length) return t == text->length;
  const uint8_t c = str_bytes(pattern)[p];
  if (c == SPW_LIKE_MANY) {
    for (uint32_t from = t;; from += first_byte_says(str_bytes(text)[from])) {
      if (matches(text, from, pattern, p + 1)) return 1;
      if (from >= text->length) return 0;
    }
  }
  if (t >= text->length) return 0;
  if (c == SPW_LIKE_ONE) return matches(text, t + first_byte_says(str_bytes(text)[t]), pattern, p + 1);
  return c == str_bytes(text)[t] && matches(text, t + 1, pattern, p + 1);
}

static scalar text_of(arena *memory, const uint8_t *bytes, uint32_t length) {
  scalar s;
  memset(&s, 0, sizeof s);
  s.type = SPW_STR;
  s.v.str = fuzz_string_of(memory, (const char *)bytes, length);
  return s;
}

static scalar int_of(int32_t value) {
  scalar s;
  memset(&s, 0, sizeof s);
  s.type = SPW_I32;
  s.v.i32 = value;
  return s;
}

/* What the operation gives; 0 if this oracle does not know. */
static int oracle(arena *memory, const spw_instr *code, int32_t type, const scalar *v, scalar *out) {
  uint32_t at[260];
  const spw_str *a = &v[0].v.str, *b = &v[1].v.str, *c = &v[2].v.str;
  switch (code->op) {
    case SPW_DEC_ADD_WIDE:
    case SPW_DEC_SUB_WIDE:
    case SPW_DEC_MUL_WIDE:
    case SPW_DEC_DIV: *out = wide_decimals(code, type, &v[0], &v[1]); return 1;
    case SPW_LENGTH: *out = int_of((int32_t)characters(a, at)); return 1;
    case SPW_SUBSTRING: {
      const int64_t n = characters(a, at), from = v[1].v.i32 > 0 ? (int64_t)v[1].v.i32 - 1 : v[1].v.i32 < 0 ? n + v[1].v.i32 : 0;
      const int64_t to = from + v[2].v.i32, first = from < 0 ? 0 : from > n ? n : from;
      const int64_t last = to > n ? n : to < first ? first : to;
      *out = text_of(memory, str_bytes(a) + at[first], at[last] - at[first]);
      return 1;
    }
    case SPW_CONCAT: {
      uint8_t bytes[600];
      memcpy(bytes, str_bytes(a), a->length);
      memcpy(bytes + a->length, str_bytes(b), b->length);
      *out = text_of(memory, bytes, a->length + b->length);
      return 1;
    }
    case SPW_REPLACE: {
      uint8_t *bytes = arena_take(memory, 10000);
      uint32_t n = 0, i = 0;
      while (i < a->length) {
        const int hit = b->length > 0 && b->length <= a->length - i && memcmp(str_bytes(a) + i, str_bytes(b), b->length) == 0;
        if (hit) memcpy(bytes + n, str_bytes(c), c->length), n += c->length, i += b->length;
        else bytes[n++] = str_bytes(a)[i++];
      }
      *out = text_of(memory, bytes, n);
      return n < 250;
    }
    case SPW_REVERSE: {
      uint8_t bytes[260];
      uint32_t n = 0;
      for (uint32_t k = characters(a, at); k > 0; k--) {
        memcpy(bytes + n, str_bytes(a) + at[k - 1], at[k] - at[k - 1]);
        n += at[k] - at[k - 1];
      }
      *out = text_of(memory, bytes, n);
      return 1;
    }
    case SPW_LIKE:
      for (uint32_t i = 0; i < a->length; i++) {
        if (str_bytes(a)[i] >= 0x80) return 0; /* may be the host's */
      }
      memset(out, 0, sizeof *out);
      out->type = SPW_BOOL;
      out->v.b = (uint8_t)matches(a, 0, b, 0);
      return 1;
    default: return 0;
  }
}

/* ---- running ---- */

#define ROWS 200

typedef struct operation {
  spw_instr code;
  spw_column registers[4]; /* a, b, c, destination */
  int32_t rows;
  int operands;
} operation;

/* Small numbers where an operand says how much is made. */
static void tame(rng *r, operation *o, int register_number) {
  spw_column *column = &o->registers[register_number];
  for (int32_t i = 0; i < (column->kind == SPW_CONSTANT ? 1 : o->rows); i++) {
    const int32_t small = (int32_t)rng_below(r, 60) - 10;
    memcpy((uint8_t *)spw_at(column->values) + 4 * (size_t)i, &small, 4);
  }
}

/* Patterns with wildcards in them. */
static void make_patterns(rng *r, arena *memory, operation *o) {
  spw_column *column = &o->registers[1];
  for (int32_t i = 0; i < (column->kind == SPW_CONSTANT ? 1 : o->rows); i++) {
    char bytes[12];
    const uint32_t length = (uint32_t)rng_below(r, 8);
    for (uint32_t k = 0; k < length; k++) bytes[k] = "ab\xff\xfe\xff\xfe"[rng_below(r, 6)];
    const spw_str s = fuzz_string_of(memory, bytes, length);
    memcpy((uint8_t *)spw_at(column->values) + 16 * (size_t)i, &s, 16);
  }
}

static int needs_tame(int op) {
  return op == SPW_REPEAT || op == SPW_LPAD || op == SPW_RPAD || op == SPW_SUBSTRING || op == SPW_LOCATE ||
         op == SPW_SUBSTRING_INDEX || op == SPW_DEC_TO_STR;
}

static void make(rng *r, arena *memory, operation *o) {
#define SPW_EXPR_NUMBER(name, value, text) value,
  static const uint16_t operations[] = {SPW_EXPR_OPS(SPW_EXPR_NUMBER)};
  const form f = form_of(r, operations[rng_below(r, sizeof operations / sizeof operations[0])]);
  const int32_t types[3] = {f.a, f.b, f.c};
  memset(o, 0, sizeof *o);
  o->rows = rng_one_in(r, 20) ? 0 : (int32_t)(1 + rng_below(r, ROWS));
  o->operands = f.c != 0 ? 3 : f.b != 0 ? 2 : 1;
  for (int k = 0; k < 3; k++) {
    const int32_t type = types[k] == 0 ? SPW_I32 : types[k];
    fuzz_column(r, memory, &o->registers[k], type, rng_one_in(r, 4) ? SPW_CONSTANT : SPW_VECTOR, o->rows,
                (int)rng_below(r, 4));
    if (type == SPW_I32 && needs_tame(f.op)) tame(r, o, k);
  }
  if (f.op == SPW_LIKE) make_patterns(r, memory, o);
  o->code = (spw_instr){(uint16_t)f.op, (uint16_t)f.a, 3, 0, 1, 2, imm_for(r, f.op)};
  spw_column *dst = &o->registers[3];
  dst->type = f.dst == 0 ? f.a : f.dst;
  dst->kind = SPW_VECTOR;
  dst->values = arena_address(memory, (size_t)o->rows * (size_t)spw_width(dst->type));
  dst->nulls = arena_address(memory, (size_t)o->rows);
}

/* Runs to the end, giving heap by the piece; rows that are the host's become null and are marked. */
static void run(arena *memory, operation *o, const kernels *k, int32_t chunk, uint8_t *hosted) {
  spw_eval block;
  memset(&block, 0, sizeof block);
  block.registers = (uint64_t)(uintptr_t)o->registers;
  block.code = (uint64_t)(uintptr_t)&o->code;
  block.nregisters = 4;
  block.ninstructions = 1;
  block.rows = o->rows;
  block.chunk_rows = chunk;
  memset(hosted, 0, ROWS);
  for (;;) {
    const int64_t result = k->eval(&block);
    if (result == SPW_NEEDS_BYTES) {
      CHECK(block.need > block.heap_end - block.heap && block.need < 100000000);
      block.heap = arena_address(memory, block.need);
      block.heap_end = block.heap + block.need;
    } else if (result == SPW_NEEDS_HOST) {
      uint8_t *nulls = spw_at(o->registers[3].nulls);
      int some = 0;
      for (int32_t i = block.at_row; i < o->rows && i < block.at_row + chunk; i++) {
        if (nulls[i] != SPW_HOST_ROW) continue;
        hosted[i] = nulls[i] = some = 1;
      }
      CHECK(some && block.at_instruction == 0);
      block.at_instruction++;
    } else {
      CHECK(result == o->rows && block.at_row == 0 && block.at_instruction == 0);
      return;
    }
  }
}

static scalar load(const spw_column *c, int64_t row) {
  scalar s;
  memset(&s, 0, sizeof s);
  s.type = c->type;
  s.null = null_at(c, row);
  memcpy(&s.v, value_at(c, row), (size_t)spw_width(c->type));
  return s;
}

static int same(const scalar *a, const scalar *b) {
  if (a->null || b->null) return a->null == b->null;
  if (a->type == SPW_STR) return str_order(&a->v.str, &b->v.str) == 0;
  if (a->type == SPW_F32 && isnan(a->v.f32)) return isnan(b->v.f32);
  if (a->type == SPW_F64 && isnan(a->v.f64)) return isnan(b->v.f64);
  return memcmp(&a->v, &b->v, (size_t)spw_width(a->type)) == 0;
}

static void check_nulls(const operation *o, const uint8_t *hosted) {
  int any = 0;
  for (int32_t i = 0; i < o->rows; i++) any |= null_at(&o->registers[3], i);
  CHECK(o->registers[3].has_nulls == any);
  for (int32_t i = 0; i < o->rows; i++) {
    int null = 0;
    for (int k = 0; k < o->operands; k++) null |= null_at(&o->registers[k], i);
    if (o->code.op != SPW_JOIN && o->code.op != SPW_MURMUR3 && null) CHECK(null_at(&o->registers[3], i) && !hosted[i]);
  }
}

static void fuzz_operation(rng *r, const kernels *levels, int nlevels) {
  arena memory = {NULL};
  operation *o = arena_take(&memory, sizeof *o);
  make(r, &memory, o);
  uint8_t *hosted = arena_take(&memory, ROWS), *first_hosted = arena_take(&memory, ROWS);
  scalar *first = arena_take(&memory, ROWS * sizeof *first);
  for (int turn = 0; turn < 2 * nlevels; turn++) {
    o->registers[3].has_nulls = 77;
    run(&memory, o, &levels[turn / 2], (int32_t)(64 + rng_below(r, 100)), hosted);
    arena_check(&memory);
    check_nulls(o, hosted);
    for (int32_t i = 0; i < o->rows; i++) {
      const scalar got = load(&o->registers[3], i);
      if (turn > 0) {
        CHECK(same(&got, &first[i]) && hosted[i] == first_hosted[i]);
        continue;
      }
      first[i] = got;
      first_hosted[i] = hosted[i];
      const scalar operands[3] = {load(&o->registers[0], i), load(&o->registers[1], i), load(&o->registers[2], i)};
      int null = hosted[i];
      for (int k = 0; k < o->operands; k++) null |= operands[k].null;
      scalar expected;
      if (!null && oracle(&memory, &o->code, o->registers[3].type, operands, &expected)) CHECK(same(&got, &expected));
    }
  }
  arena_free(&memory);
}

void fuzz_expr_more(rng *r, const kernels *levels, int nlevels) {
  for (int n = 0; n < 12; n++) fuzz_operation(r, levels, nlevels);
}
