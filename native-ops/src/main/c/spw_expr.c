/* The register machine: checks the program once, then runs it chunk by chunk. */
#include "spw_expr.h"

#include "spw_expr_shape.h"
#include "spw_expr_step.h"

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
  if (!imm_ok(code)) return SPW_BAD_PROGRAM;
  if (may_need_host(code->op)) {
    for (int k = 0; k < form.operands; k++) {
      if (operand[k] == code->dst) return SPW_BAD_PROGRAM;
    }
  }
  const int32_t type = type_of(code, &form);
  if (form.rule == FREE) {
    if (!in(dst->type, form.types)) return SPW_BAD_TYPE;
    for (int k = 0; k < form.operands; k++) {
      if (!in(registers[operand[k]].type, form.types)) return SPW_BAD_TYPE;
    }
    return code->imm < 0 || code->imm > SPW_MAX_DECIMAL_DIGITS ? SPW_BAD_PROGRAM : 0;
  }
  if (!in(type, form.types)) return SPW_BAD_TYPE;
  if (form.rule == TYPED) {
    const uint16_t types[3] = {0, form.b, form.c};
    for (int k = 0; k < form.operands; k++) {
      if (!in(registers[operand[k]].type, types[k] == 0 ? BIT(type) : types[k])) return SPW_BAD_TYPE;
    }
    return in(dst->type, form.dst == 0 ? BIT(type) : form.dst) ? 0 : SPW_BAD_TYPE;
  }
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
      block->ninstructions > 4096 || block->at_row < 0 || block->at_row > block->rows ||
      block->at_instruction < 0 || block->at_instruction > block->ninstructions || block->heap > block->heap_end) {
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
    case MATH: return SPW_FN(spw_step_math)(s);
    case DECIMAL_WIDE: return SPW_FN(spw_step_decimal_wide)(s);
    case TEXT: return SPW_FN(spw_step_text)(s);
    case MAKE: return SPW_FN(spw_step_make)(s);
    case PARSE: return SPW_FN(spw_step_parse)(s);
    case DATE: return SPW_FN(spw_step_date)(s);
    case HASH: return SPW_FN(spw_step_hash)(s);
    default: return SPW_FN(spw_step_string)(s);
  }
}

/* What a step that did not do all its rows comes to; 0 if it did. */
static int64_t interruption(int result) {
  if ((result & SPW_STEP_LONG) != 0) return SPW_TOO_LONG;
  if ((result & SPW_STEP_BYTES) != 0) return SPW_NEEDS_BYTES;
  return (result & SPW_STEP_HOST) != 0 ? SPW_NEEDS_HOST : 0;
}

/* Runs the instructions from `first` on; where it stops early at_instruction says at which. */
static int64_t run_chunk(spw_eval *block, int32_t start, int32_t rows, int32_t first, uint8_t *nullable) {
  const spw_column *registers = spw_at(block->registers);
  const spw_instr *code = spw_at(block->code);
  spw_heap heap = {spw_at(block->heap), spw_at(block->heap_end), 0};
  for (int32_t p = first; p < block->ninstructions; p++) {
    const spw_instr *c = &code[p];
    const shape form = shape_of(c->op);
    const spw_column *dst = &registers[c->dst];
    const uint64_t offset = dst->kind == SPW_VECTOR ? (uint64_t)start : 0;
    spw_step s;
    memset(&s, 0, sizeof s);
    s.a = operand_at(&registers[c->a], start, nullable[c->a]);
    if (form.operands > 1) s.b = operand_at(&registers[c->b], start, nullable[c->b]);
    if (form.operands > 2) s.c = operand_at(&registers[c->c], start, nullable[c->c]);
    s.values = spw_at(dst->values + offset * (uint64_t)spw_width(dst->type));
    s.nulls = spw_at(dst->nulls + offset);
    s.dst_type = dst->type;
    s.rows = rows;
    s.op = c->op;
    s.type = type_of(c, &form);
    s.imm = c->imm;
    s.heap = &heap;
    const int result = run(&s, form.family);
    block->heap = (uint64_t)(uintptr_t)heap.next;
    const int64_t stopped = interruption(result);
    if (SPW_UNLIKELY(stopped != 0)) {
      block->at_instruction = p;
      block->need = heap.need;
      return stopped;
    }
    nullable[c->dst] = (result & SPW_STEP_NULL) != 0;
  }
  return 0;
}

/* A look at the registers' nulls buys the loops without null work. What this call is to write has
 * none yet; what an interrupted one wrote in this chunk is looked at. */
static void find_nulls(const spw_eval *block, int32_t start, int32_t rows, const uint8_t *unwritten,
                       uint8_t *nullable) {
  const spw_column *registers = spw_at(block->registers);
  for (int32_t r = 0; r < block->nregisters; r++) {
    const spw_column *column = &registers[r];
    if (unwritten[r] || column->nulls == 0) {
      nullable[r] = 0;
    } else if (column->kind == SPW_CONSTANT) {
      nullable[r] = *(const uint8_t *)spw_at(column->nulls) != 0;
    } else {
      const uint64_t first = column->kind == SPW_VECTOR ? (uint64_t)start : 0;
      nullable[r] = memchr(spw_at(column->nulls + first), 1, (size_t)rows) != NULL;
    }
  }
}

int64_t SPW_FN(spw_eval)(spw_eval *block) {
  uint8_t written[1024] = {0}, unwritten[1024];
  uint8_t nullable[1024] = {0};
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  const int64_t bad = check(block, written);
  if (bad != 0) return bad;
  spw_column *registers = spw_at(block->registers);
  const spw_instr *code = spw_at(block->code);
  memcpy(unwritten, written, sizeof unwritten);
  for (int32_t p = 0; p < block->at_instruction; p++) unwritten[code[p].dst] = 0;
  if (block->at_row == 0 && block->at_instruction == 0) {
    for (int32_t r = 0; r < block->nregisters; r++) {
      if (written[r]) registers[r].has_nulls = 0;
    }
  }
  for (int32_t start = block->at_row; start < block->rows; start += block->chunk_rows) {
    const int32_t left = block->rows - start;
    const int32_t rows = left < block->chunk_rows ? left : block->chunk_rows;
    find_nulls(block, start, rows, unwritten, nullable);
    const int64_t stopped = run_chunk(block, start, rows, block->at_instruction, nullable);
    if (stopped != 0) {
      block->at_row = start;
      return stopped;
    }
    block->at_instruction = 0;
    memcpy(unwritten, written, sizeof unwritten);
    for (int32_t r = 0; r < block->nregisters; r++) {
      if (written[r]) registers[r].has_nulls |= nullable[r];
    }
  }
  block->at_row = 0;
  block->at_instruction = 0;
  return block->rows;
}
