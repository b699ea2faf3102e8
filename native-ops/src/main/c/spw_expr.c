/* The register machine: checks the program once, then runs it chunk by chunk. */
#include "spw_expr.h"

#include "spw_expr_step.h"

enum family { NONE, ARITH, DECIMAL, COMPARE, LOGIC, CHOOSE, CONVERT, STRING };

#define BIT(t) (1u << (t))
#define NUMBERS (BIT(SPW_I32) | BIT(SPW_I64) | BIT(SPW_F32) | BIT(SPW_F64))
#define CASTABLE (NUMBERS | BIT(SPW_BOOL) | BIT(SPW_I8) | BIT(SPW_I16))
#define ANY (CASTABLE | BIT(SPW_I128) | BIT(SPW_STR))
#define DECIMALS (BIT(SPW_I64) | BIT(SPW_I128))

enum rule {
  SAME,     /* operands and destination are of `type` */
  TO_BOOL,  /* operands of `type`, destination BOOL */
  CHOICE,   /* a BOOL; b, c and destination of `type` */
  BY_IMM,   /* a of `type`, destination of type imm */
  FREE      /* each I64 or I128, `type` is ignored */
};

typedef struct shape {
  uint8_t family;
  uint8_t operands;
  uint8_t rule;
  uint16_t types;
} shape;

static shape shape_of(uint16_t op) {
  switch (op) {
    case SPW_MOV: return (shape){CHOOSE, 1, SAME, ANY};
    case SPW_ADD:
    case SPW_SUB:
    case SPW_MUL: return (shape){ARITH, 2, SAME, NUMBERS};
    case SPW_DIV: return (shape){ARITH, 2, SAME, BIT(SPW_F64)};
    case SPW_NEG: return (shape){ARITH, 1, SAME, NUMBERS | BIT(SPW_I128)};
    case SPW_DEC_ADD:
    case SPW_DEC_SUB:
    case SPW_DEC_MUL: return (shape){DECIMAL, 2, FREE, DECIMALS};
    case SPW_DEC_SCALE_UP:
    case SPW_DEC_CHECK: return (shape){DECIMAL, 1, FREE, DECIMALS};
    case SPW_EQ:
    case SPW_NE:
    case SPW_LT:
    case SPW_LE:
    case SPW_EQ_NULL_SAFE: return (shape){COMPARE, 2, TO_BOOL, ANY};
    case SPW_AND:
    case SPW_OR: return (shape){LOGIC, 2, SAME, BIT(SPW_BOOL)};
    case SPW_NOT: return (shape){LOGIC, 1, SAME, BIT(SPW_BOOL)};
    case SPW_IS_NULL:
    case SPW_IS_NOT_NULL: return (shape){LOGIC, 1, TO_BOOL, ANY};
    case SPW_SELECT: return (shape){CHOOSE, 3, CHOICE, ANY};
    case SPW_COALESCE: return (shape){CHOOSE, 2, SAME, ANY};
    case SPW_CAST: return (shape){CONVERT, 1, BY_IMM, CASTABLE};
    case SPW_NORM_FLOAT: return (shape){CONVERT, 1, SAME, BIT(SPW_F32) | BIT(SPW_F64)};
    case SPW_STARTS_WITH:
    case SPW_ENDS_WITH:
    case SPW_CONTAINS: return (shape){STRING, 2, TO_BOOL, BIT(SPW_STR)};
    case SPW_YEAR: return (shape){CONVERT, 1, SAME, BIT(SPW_I32)};
    default: return (shape){NONE, 0, SAME, 0};
  }
}

static int in(int32_t type, uint32_t types) { return type > 0 && type < 16 && (types & BIT(type)) != 0; }

/* Logic ignores `type` except where it is the type of an operand to test. */
static int32_t type_of(const spw_instr *code, const shape *form) {
  return form->family == LOGIC && form->rule == SAME ? SPW_BOOL : code->type;
}

static int64_t check_instruction(const spw_eval *block, const spw_instr *code) {
  const spw_column *registers = spw_at(block->registers);
  const shape form = shape_of(code->op);
  if (form.family == NONE) return SPW_BAD_PROGRAM;
  const uint16_t operand[3] = {code->a, code->b, code->c};
  if (code->dst >= block->nregisters) return SPW_BAD_PROGRAM;
  for (int k = 0; k < form.operands; k++) {
    if (operand[k] >= block->nregisters) return SPW_BAD_PROGRAM;
  }
  const spw_column *dst = &registers[code->dst];
  if (dst->kind == SPW_CONSTANT || dst->nulls == 0) return SPW_BAD_PROGRAM;
  const int32_t type = type_of(code, &form);
  if (form.rule == FREE) {
    if (!in(dst->type, form.types)) return SPW_BAD_TYPE;
    for (int k = 0; k < form.operands; k++) {
      if (!in(registers[operand[k]].type, form.types)) return SPW_BAD_TYPE;
    }
    return code->imm < 0 || code->imm > SPW_MAX_DECIMAL_DIGITS ? SPW_BAD_PROGRAM : 0;
  }
  if (!in(type, form.types)) return SPW_BAD_TYPE;
  for (int k = 0; k < form.operands; k++) {
    const int32_t expected = form.rule == CHOICE && k == 0 ? SPW_BOOL : type;
    if (registers[operand[k]].type != expected) return SPW_BAD_TYPE;
  }
  if (form.rule == BY_IMM && !in(code->imm, form.types)) return SPW_BAD_TYPE;
  const int32_t result = form.rule == TO_BOOL ? SPW_BOOL : form.rule == BY_IMM ? code->imm : type;
  return dst->type == result ? 0 : SPW_BAD_TYPE;
}

static int64_t check(const spw_eval *block, uint8_t *written) {
  if (block->rows < 0 || block->rows > 65536 || block->chunk_rows < 64 || block->chunk_rows > 4096 ||
      block->nregisters < 0 || block->nregisters > 1024 || block->ninstructions < 0 ||
      block->ninstructions > 4096) {
    return SPW_BAD_ARGUMENT;
  }
  if ((block->nregisters > 0 && !spw_aligned(block->registers)) ||
      (block->ninstructions > 0 && !spw_aligned(block->code))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *registers = spw_at(block->registers);
  for (int32_t r = 0; r < block->nregisters; r++) {
    const spw_column *column = &registers[r];
    if (spw_width(column->type) == 0) return SPW_BAD_TYPE;
    if (column->kind < SPW_VECTOR || column->kind > SPW_SCRATCH || column->values == 0) return SPW_BAD_PROGRAM;
  }
  const spw_instr *code = spw_at(block->code);
  for (int32_t p = 0; p < block->ninstructions; p++) {
    int64_t result = check_instruction(block, &code[p]);
    if (result != 0) return result;
    written[code[p].dst] = 1;
  }
  return 0;
}

/* Where a register's rows from `start` on lie. */
SPW_INLINE spw_operand operand_at(const spw_column *column, int32_t start, uint8_t nullable) {
  const uint64_t first = column->kind == SPW_VECTOR ? (uint64_t)start : 0;
  spw_operand x;
  x.values = spw_at(column->values + first * (uint64_t)spw_width(column->type));
  x.nulls = nullable ? spw_at(column->nulls + first) : NULL;
  x.type = column->type;
  x.constant = column->kind == SPW_CONSTANT;
  x.nullable = nullable;
  return x;
}

static int run(const spw_step *s, uint8_t family) {
  switch (family) {
    case ARITH: return SPW_FN(spw_step_arith)(s);
    case DECIMAL: return SPW_FN(spw_step_decimal)(s);
    case COMPARE: return SPW_FN(spw_step_compare)(s);
    case LOGIC: return SPW_FN(spw_step_logic)(s);
    case CHOOSE: return SPW_FN(spw_step_choose)(s);
    case CONVERT: return SPW_FN(spw_step_convert)(s);
    default: return SPW_FN(spw_step_string)(s);
  }
}

static void run_chunk(const spw_eval *block, int32_t start, int32_t rows, uint8_t *nullable) {
  const spw_column *registers = spw_at(block->registers);
  const spw_instr *code = spw_at(block->code);
  for (int32_t p = 0; p < block->ninstructions; p++) {
    const spw_instr *c = &code[p];
    const shape form = shape_of(c->op);
    const spw_column *dst = &registers[c->dst];
    const uint64_t first = dst->kind == SPW_VECTOR ? (uint64_t)start : 0;
    spw_step s;
    memset(&s, 0, sizeof s);
    s.a = operand_at(&registers[c->a], start, nullable[c->a]);
    if (form.operands > 1) s.b = operand_at(&registers[c->b], start, nullable[c->b]);
    if (form.operands > 2) s.c = operand_at(&registers[c->c], start, nullable[c->c]);
    s.values = spw_at(dst->values + first * (uint64_t)spw_width(dst->type));
    s.nulls = spw_at(dst->nulls + first);
    s.dst_type = dst->type;
    s.rows = rows;
    s.op = c->op;
    s.type = type_of(c, &form);
    s.imm = c->imm;
    nullable[c->dst] = run(&s, form.family) != 0;
  }
}

int64_t SPW_FN(spw_eval)(spw_eval *block) {
  uint8_t written[1024] = {0};
  uint8_t nullable[1024] = {0};
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  const int64_t bad = check(block, written);
  if (bad != 0) return bad;
  spw_column *registers = spw_at(block->registers);
  for (int32_t r = 0; r < block->nregisters; r++) {
    if (written[r]) registers[r].has_nulls = 0;
  }
  for (int32_t start = 0; start < block->rows; start += block->chunk_rows) {
    const int32_t left = block->rows - start;
    const int32_t rows = left < block->chunk_rows ? left : block->chunk_rows;
    for (int32_t r = 0; r < block->nregisters; r++) {
      /* A look at the input's nulls buys the loops without null work. */
      const spw_column *column = &registers[r];
      if (written[r] || column->nulls == 0) {
        nullable[r] = 0;
      } else if (column->kind == SPW_CONSTANT) {
        nullable[r] = *(const uint8_t *)spw_at(column->nulls) != 0;
      } else {
        const uint64_t first = column->kind == SPW_VECTOR ? (uint64_t)start : 0;
        nullable[r] = memchr(spw_at(column->nulls + first), 1, (size_t)rows) != NULL;
      }
    }
    run_chunk(block, start, rows, nullable);
    for (int32_t r = 0; r < block->nregisters; r++) {
      if (written[r]) registers[r].has_nulls |= nullable[r];
    }
  }
  return block->rows;
}
