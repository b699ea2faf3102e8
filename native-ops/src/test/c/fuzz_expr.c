/* Random programs over random columns: every level against the oracle, row by row. */
#include "fuzz_expr.h"

#include <math.h>

#define MAX_REGISTERS 96
#define MAX_CODE 24

typedef struct program {
  spw_column registers[MAX_REGISTERS];
  int nregisters;
  int inputs; /* registers that nothing writes come first */
  spw_instr code[MAX_CODE];
  int ncode;
  int written[MAX_REGISTERS];
  int32_t rows;
  int32_t chunk;
} program;

static const uint16_t ops[] = {SPW_MOV,    SPW_ADD,      SPW_SUB,          SPW_MUL,       SPW_DIV,
                               SPW_NEG,    SPW_DEC_ADD,  SPW_DEC_SUB,      SPW_DEC_MUL,   SPW_DEC_SCALE_UP,
                               SPW_EQ,     SPW_NE,       SPW_LT,           SPW_LE,        SPW_EQ_NULL_SAFE,
                               SPW_AND,    SPW_OR,       SPW_NOT,          SPW_IS_NULL,   SPW_IS_NOT_NULL,
                               SPW_SELECT, SPW_COALESCE, SPW_CAST,         SPW_NORM_FLOAT, SPW_STARTS_WITH,
                               SPW_ENDS_WITH, SPW_CONTAINS, SPW_YEAR,      SPW_DEC_CHECK};

static int is_decimal_op(int op) { return op >= SPW_DEC_ADD && op <= SPW_DEC_CHECK; }

static int operands_of(int op) {
  switch (op) {
    case SPW_MOV:
    case SPW_NEG:
    case SPW_DEC_SCALE_UP:
    case SPW_DEC_CHECK:
    case SPW_NOT:
    case SPW_IS_NULL:
    case SPW_IS_NOT_NULL:
    case SPW_CAST:
    case SPW_NORM_FLOAT:
    case SPW_YEAR: return 1;
    case SPW_SELECT: return 3;
    default: return 2;
  }
}

static int32_t pick(rng *r, const int32_t *types, uint64_t n) { return types[rng_below(r, n)]; }

static int32_t type_for(rng *r, int op) {
  static const int32_t numbers[] = {SPW_I32, SPW_I64, SPW_F32, SPW_F64, SPW_I128};
  static const int32_t castable[] = {SPW_BOOL, SPW_I8, SPW_I16, SPW_I32, SPW_I64, SPW_F32, SPW_F64};
  switch (op) {
    case SPW_ADD:
    case SPW_SUB:
    case SPW_MUL: return pick(r, numbers, 4);
    case SPW_NEG: return pick(r, numbers, 5);
    case SPW_DIV: return SPW_F64;
    case SPW_AND:
    case SPW_OR:
    case SPW_NOT: return SPW_BOOL;
    case SPW_CAST: return pick(r, castable, 7);
    case SPW_NORM_FLOAT: return pick(r, numbers + 2, 2);
    case SPW_STARTS_WITH:
    case SPW_ENDS_WITH:
    case SPW_CONTAINS: return SPW_STR;
    case SPW_YEAR: return SPW_I32;
    default: return (int32_t)(1 + rng_below(r, 9));
  }
}

static int32_t result_type(rng *r, int op, int32_t type, int32_t *imm) {
  static const int32_t castable[] = {SPW_BOOL, SPW_I8, SPW_I16, SPW_I32, SPW_I64, SPW_F32, SPW_F64};
  if (is_decimal_op(op)) {
    *imm = (int32_t)rng_below(r, 39);
    return rng_one_in(r, 2) ? SPW_I64 : SPW_I128;
  }
  if (op == SPW_CAST) return *imm = pick(r, castable, 7);
  const int to_bool = (op >= SPW_EQ && op <= SPW_EQ_NULL_SAFE) || op == SPW_IS_NULL || op == SPW_IS_NOT_NULL ||
                      (op >= SPW_STARTS_WITH && op <= SPW_CONTAINS);
  return to_bool ? SPW_BOOL : type;
}

/* A register with a value: an input, or one that was written. */
static uint16_t readable(rng *r, const program *p, int32_t type) {
  for (;;) {
    const uint64_t i = rng_below(r, (uint64_t)p->nregisters);
    if (p->registers[i].type == type && (i < (uint64_t)p->inputs || p->written[i])) return (uint16_t)i;
  }
}

static int32_t decimal_type(rng *r) { return rng_one_in(r, 2) ? SPW_I64 : SPW_I128; }

static void make_program(rng *r, arena *a, program *p) {
  memset(p, 0, sizeof *p);
  p->rows = rng_one_in(r, 20) ? 0 : (int32_t)(1 + rng_below(r, 300));
  p->chunk = (int32_t)(64 + rng_below(r, 100));
  for (int32_t type = SPW_BOOL; type <= SPW_STR; type++) {
    for (int k = 0; k < 4; k++) {
      const int null_mode = (int)rng_below(r, 4);
      const int32_t kind = k == 3 ? SPW_CONSTANT : SPW_VECTOR;
      fuzz_column(r, a, &p->registers[p->nregisters++], type, kind, p->rows, null_mode);
    }
  }
  p->inputs = p->nregisters;
  const int ncode = (int)(1 + rng_below(r, MAX_CODE));
  for (; p->ncode < ncode; p->ncode++) {
    spw_instr *c = &p->code[p->ncode];
    const int op = ops[rng_below(r, sizeof ops / sizeof ops[0])];
    const int32_t type = type_for(r, op);
    int32_t imm = 0;
    const int32_t to = result_type(r, op, type, &imm);
    c->op = (uint16_t)op;
    c->type = (uint16_t)type;
    c->imm = imm;
    c->a = readable(r, p, is_decimal_op(op) ? decimal_type(r) : op == SPW_SELECT ? SPW_BOOL : type);
    if (operands_of(op) > 1) c->b = readable(r, p, is_decimal_op(op) ? decimal_type(r) : type);
    if (operands_of(op) > 2) c->c = readable(r, p, type);
    /* Often written over a register that was written before, be it an operand or not. */
    int dst = -1;
    for (int i = p->inputs; i < p->nregisters && rng_one_in(r, 2); i++) {
      if (p->registers[i].type == to) dst = i;
    }
    if (dst < 0) {
      dst = p->nregisters++;
      spw_column *d = &p->registers[dst];
      d->type = to;
      d->kind = rng_one_in(r, 2) ? SPW_VECTOR : SPW_SCRATCH;
      const size_t rows = (size_t)(d->kind == SPW_VECTOR ? p->rows : p->chunk);
      d->values = arena_address(a, rows * (size_t)spw_width(to));
      d->nulls = arena_address(a, rows);
    }
    c->dst = (uint16_t)dst;
    p->written[dst] = 1;
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

/* The bits, but any NaN for any other: which one an operation gives is the processor's choice. */
static int same(const scalar *a, const scalar *b) {
  if (a->null || b->null) return a->null == b->null;
  if (a->type == SPW_STR) return str_order(&a->v.str, &b->v.str) == 0;
  if (a->type == SPW_F32 && isnan(a->v.f32)) return isnan(b->v.f32);
  if (a->type == SPW_F64 && isnan(a->v.f64)) return isnan(b->v.f64);
  return memcmp(&a->v, &b->v, (size_t)spw_width(a->type)) == 0;
}

static void check_against_oracle(const program *p) {
  int any_null[MAX_REGISTERS] = {0};
  for (int32_t row = 0; row < p->rows; row++) {
    scalar values[MAX_REGISTERS];
    memset(values, 0, sizeof values);
    for (int i = 0; i < p->inputs; i++) values[i] = load(&p->registers[i], row);
    for (int k = 0; k < p->ncode; k++) {
      const spw_instr *c = &p->code[k];
      const int n = operands_of(c->op);
      values[c->dst] = oracle_instruction(c, p->registers[c->dst].type, &values[c->a], n > 1 ? &values[c->b] : NULL,
                                          n > 2 ? &values[c->c] : NULL);
    }
    for (int i = p->inputs; i < p->nregisters; i++) {
      if (p->registers[i].kind != SPW_VECTOR) continue;
      const scalar got = load(&p->registers[i], row);
      any_null[i] |= values[i].null;
      CHECK(same(&got, &values[i]));
    }
  }
  for (int i = p->inputs; i < p->nregisters; i++) {
    if (p->registers[i].kind == SPW_VECTOR) CHECK(p->registers[i].has_nulls == any_null[i]);
  }
}

/* A program that is wrong in one place is refused, whatever the place. */
static void check_refusals(rng *r, const program *p, const kernels *k, spw_eval *block) {
  program bad = *p;
  spw_instr *c = &bad.code[rng_below(r, (uint64_t)bad.ncode)];
  spw_eval wrong = *block;
  wrong.registers = (uint64_t)(uintptr_t)bad.registers;
  wrong.code = (uint64_t)(uintptr_t)bad.code;
  switch (rng_below(r, 7)) {
    case 0: c->op = 999; break;
    case 1: c->dst = (uint16_t)bad.nregisters; break;
    case 2: c->a = 60000; break;
    case 3: bad.registers[c->dst].nulls = 0; break;
    case 4: bad.registers[c->dst].type = 10; break;
    case 5: wrong.chunk_rows = 63; break;
    default: bad.registers[c->dst].kind = SPW_CONSTANT; break;
  }
  const int64_t result = k->eval(&wrong);
  CHECK(result == SPW_BAD_PROGRAM || result == SPW_BAD_TYPE || result == SPW_BAD_ARGUMENT);
}

/* Products about as wide as 128 bits, where the ways of overflowing part. */
static void check_products(rng *r) {
  for (int i = 0; i < 500; i++) {
    const uint64_t bits = rng_below(r, 128);
    spw_wide x = (spw_wide)((spw_uwide)rng_next(r) << 64 | rng_next(r)) >> (127 - bits);
    spw_wide y = (spw_wide)((spw_uwide)rng_next(r) << 64 | rng_next(r)) >> (bits > 6 ? bits - rng_below(r, 6) : bits);
    const big exact = big_mul(big_of(x), big_of(y));
    spw_wide expected = 0, got = 0;
    const int fits = big_to_wide(&exact, &expected);
    CHECK(spw_wide_mul(x, y, &got) == !fits);
    CHECK(!fits || got == expected);
  }
}

void fuzz_expr(rng *r, const kernels *levels, int nlevels) {
  check_products(r);
  arena a = {NULL};
  program *p = arena_take(&a, sizeof *p);
  make_program(r, &a, p);
  spw_eval block = {(uint64_t)(uintptr_t)p->registers, (uint64_t)(uintptr_t)p->code, p->nregisters, p->ncode, p->rows,
                    p->chunk,  0,      0,         0,           0,       0};
  for (int level = 0; level < nlevels; level++) {
    for (int i = p->inputs; i < p->nregisters; i++) p->registers[i].has_nulls = 77;
    CHECK(levels[level].eval(&block) == p->rows);
    arena_check(&a);
    check_against_oracle(p);
    check_refusals(r, p, &levels[level], &block);
  }
  arena_free(&a);
}
