#include "spw_agg_check.h"

#define BIT(t) (1u << (t))
#define INTEGERS (BIT(SPW_I8) | BIT(SPW_I16) | BIT(SPW_I32) | BIT(SPW_I64))
#define FLOATS (BIT(SPW_F32) | BIT(SPW_F64))
#define DECIMALS (BIT(SPW_I64) | BIT(SPW_I128))
#define ANY (INTEGERS | FLOATS | DECIMALS | BIT(SPW_BOOL) | BIT(SPW_STR))

static uint32_t first_types(const spw_agg_fn *f, int merge) {
  switch (f->op) {
    case SPW_COUNT: return merge ? BIT(SPW_I64) : ANY;
    case SPW_SUM_I64: return merge ? BIT(SPW_I64) : INTEGERS;
    case SPW_SUM_F64: return merge ? BIT(SPW_F64) : FLOATS;
    case SPW_AVG_F64: return merge ? BIT(SPW_F64) : INTEGERS | FLOATS;
    case SPW_SUM_DEC:
    case SPW_AVG_DEC: return DECIMALS;
    case SPW_MOMENTS: return BIT(SPW_F64);
    case SPW_BITS_AND:
    case SPW_BITS_OR:
    case SPW_BITS_XOR: return INTEGERS & BIT(f->type);
    default: return BIT(f->type);
  }
}

static int column_ok(const spw_column *column, uint32_t types) {
  return column->values != 0 && (column->kind == SPW_VECTOR || column->kind == SPW_CONSTANT) &&
         column->type > 0 && column->type < 16 && (types & BIT(column->type)) != 0;
}

/* The type of the second buffer column; 0 if there is none. */
static uint32_t second_type(const spw_agg_fn *f) {
  switch (f->op) {
    case SPW_SUM_DEC:
    case SPW_FIRST:
    case SPW_LAST: return BIT(SPW_BOOL);
    case SPW_AVG_F64:
    case SPW_AVG_DEC: return BIT(SPW_I64);
    case SPW_MOMENTS: return BIT(SPW_F64);
    default: return 0;
  }
}

static int64_t check_function(const spw_agg *block, const spw_agg_fn *f) {
  const spw_column *inputs = spw_at(block->inputs);
  const int merge = block->merge || f->merge;
  if (f->merge != 0 && f->merge != 1) return SPW_BAD_ARGUMENT;
  if (f->input == -1) return f->op == SPW_COUNT && !merge ? 0 : SPW_BAD_ARGUMENT;
  if (f->input < 0 || f->input >= block->ninputs) return SPW_BAD_ARGUMENT;
  if (!column_ok(&inputs[f->input], first_types(f, merge))) return SPW_BAD_TYPE;
  const uint32_t second = second_type(f);
  if (!merge || second == 0) return 0;
  if (f->input2 < 0 || f->input2 >= block->ninputs) return SPW_BAD_ARGUMENT;
  if (!column_ok(&inputs[f->input2], second)) return SPW_BAD_TYPE;
  if (f->op != SPW_MOMENTS) return 0;
  if (f->input3 < 0 || f->input3 >= block->ninputs) return SPW_BAD_ARGUMENT;
  return column_ok(&inputs[f->input3], BIT(SPW_F64)) ? 0 : SPW_BAD_TYPE;
}

int64_t SPW_FN(spw_check_columns)(const spw_agg *block) {
  if (block->rows < 0 || block->ninputs < 0 || (block->merge != 0 && block->merge != 1)) return SPW_BAD_ARGUMENT;
  if ((block->nkeys > 0 && !spw_aligned(block->keys)) || (block->ninputs > 0 && !spw_aligned(block->inputs))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *keys = spw_at(block->keys);
  const spw_key *layout = spw_at(block->key_layout);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (!column_ok(&keys[k], BIT(layout[k].type))) return SPW_BAD_TYPE;
  }
  const spw_agg_fn *functions = spw_at(block->functions);
  for (int32_t f = 0; f < block->nfunctions; f++) {
    const int64_t bad = check_function(block, &functions[f]);
    if (bad != 0) return bad;
  }
  return 0;
}
