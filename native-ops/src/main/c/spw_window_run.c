/* The functions, row by row, and what they come to for groups of rows. */
#include "spw_column.h"
#include "spw_window.h"

typedef struct step {
  spw_window_fn *fn;
  const void *values;
  const spw_u8 *nulls;
  int32_t width;
} step;

static spw_wide get_wide(const spw_window_fn *fn) {
  spw_wide value;
  memcpy(&value, fn->state, sizeof value);
  return value;
}

static double get_f64(const spw_window_fn *fn) {
  double value;
  memcpy(&value, fn->state, sizeof value);
  return value;
}

/* Into 128 bits and what is above them, so that no number of rows overflows it. */
static void add_decimal(spw_window_fn *fn, spw_wide value) {
  const spw_uwide low = (spw_uwide)get_wide(fn), sum = low + (spw_uwide)value;
  memcpy(fn->state, &sum, sizeof sum);
  fn->more += (sum < low) - (value < 0);
}

static spw_wide wide_at(const step *s, int64_t row) {
  return s->fn->type == SPW_I128 ? ((const spw_i128 *)s->values)[row] : ((const spw_i64 *)s->values)[row];
}

/* Strings: the row's number is what comes out. */
static void update_string(const step *s, int64_t row, int64_t number, int null) {
  spw_window_fn *fn = s->fn;
  const spw_string *value = (const spw_string *)s->values + row;
  switch (fn->op) {
    case SPW_WINDOW_FIRST:
      if (fn->seen != 0 || (null && fn->ignore_nulls)) return;
      break;
    case SPW_WINDOW_LAST:
      if (null && fn->ignore_nulls) return;
      break;
    default: {
      if (null) return;
      if (fn->seen != 0) {
        const int order = spw_string_compare(value, 0, (const spw_string *)(const void *)fn->state, 0);
        if (fn->op == SPW_WINDOW_MIN ? order >= 0 : order <= 0) return;
      }
      memcpy(fn->state, value, sizeof *value);
      break;
    }
  }
  fn->seen = 1;
  fn->more = number;
}

static void take_value(const step *s, int64_t row) {
  memcpy(s->fn->state, (const uint8_t *)s->values + row * s->width, (size_t)s->width);
}

static void update(const step *s, int64_t row, int64_t number, uint8_t mark) {
  spw_window_fn *fn = s->fn;
  const int null = s->nulls != NULL && s->nulls[row] != 0;
  if (fn->type == SPW_STR && fn->op != SPW_WINDOW_COUNT) {
    update_string(s, row, number, null);
    return;
  }
  switch (fn->op) {
    case SPW_WINDOW_ROW_NUMBER: fn->state[0]++; break;
    case SPW_WINDOW_RANK: /* state[1] counts the rows */
      fn->state[1]++;
      if (mark != 0) fn->state[0] = fn->state[1];
      break;
    case SPW_WINDOW_DENSE_RANK: fn->state[0] += mark != 0; break;
    case SPW_WINDOW_COUNT: fn->state[0] += !null; break;
    case SPW_WINDOW_SUM_I64:
      if (!null) {
        fn->state[0] += (uint64_t)spw_whole_at(fn->type, s->values, row);
        fn->seen = 1;
      }
      break;
    case SPW_WINDOW_SUM_F64:
      if (!null) {
        const double sum = get_f64(fn) + ((const spw_f64 *)s->values)[row];
        memcpy(fn->state, &sum, sizeof sum);
        fn->seen = 1;
      }
      break;
    case SPW_WINDOW_SUM_I128:
      if (!null) {
        const spw_uwide sum = (spw_uwide)get_wide(fn) + (spw_uwide)wide_at(s, row);
        memcpy(fn->state, &sum, sizeof sum);
        fn->seen = 1;
      }
      break;
    case SPW_WINDOW_SUM_DEC:
      if (!null) {
        add_decimal(fn, wide_at(s, row));
        fn->seen = 1;
      }
      break;
    case SPW_WINDOW_MIN:
    case SPW_WINDOW_MAX:
      if (!null) {
        if (!fn->seen || (fn->op == SPW_WINDOW_MIN ? spw_less_at(fn->type, s->values, row, fn->state, 0)
                                                   : spw_less_at(fn->type, fn->state, 0, s->values, row))) {
          take_value(s, row);
        }
        fn->seen = 1;
      }
      break;
    case SPW_WINDOW_FIRST: /* seen: 1 a value, 2 a null */
    case SPW_WINDOW_LAST:
      if ((null && fn->ignore_nulls) || (fn->op == SPW_WINDOW_FIRST && fn->seen != 0)) break;
      if (!null) take_value(s, row);
      fn->seen = null ? 2 : 1;
      break;
    default: break;
  }
}

/* Whether a sum of decimals has 38 digits at the most. */
static int is_decimal(const spw_window_fn *fn) {
  const spw_wide sum = get_wide(fn);
  return fn->more == (sum < 0 ? -1 : 0) && spw_magnitude(sum) < (spw_uwide)spw_power_of_ten(SPW_MAX_DECIMAL_DIGITS);
}

static void put(const spw_window_fn *fn, int64_t at) {
  const size_t width = (size_t)spw_width(fn->out_type);
  uint8_t *value = (uint8_t *)spw_at(fn->values) + (size_t)at * width;
  spw_u8 *null = (spw_u8 *)spw_at(fn->nulls) + at;
  if (fn->type == SPW_STR && fn->op != SPW_WINDOW_COUNT) {
    *(spw_i64 *)(void *)value = fn->seen != 0 ? fn->more : -1;
    *null = 0;
    return;
  }
  memcpy(value, fn->state, width);
  *null = (fn->op >= SPW_WINDOW_SUM_I64 && fn->seen != 1) || (fn->op == SPW_WINDOW_SUM_DEC && !is_decimal(fn));
}

static void reset(spw_window_fn *fn) {
  fn->state[0] = fn->state[1] = 0;
  fn->seen = fn->more = 0;
}

/* Whether a mark ends the group of a scope before its row. */
static int ends(int32_t scope, uint8_t mark) {
  return scope == SPW_WINDOW_PEERS ? mark != 0 : mark == SPW_WINDOW_NEW_PARTITION;
}

static int fits(const spw_window_fn *fn) {
  switch (fn->op) {
    case SPW_WINDOW_ROW_NUMBER:
    case SPW_WINDOW_RANK:
    case SPW_WINDOW_DENSE_RANK: return fn->input == -1 && fn->out_type == SPW_I32;
    case SPW_WINDOW_COUNT: return fn->out_type == SPW_I64;
    case SPW_WINDOW_SUM_I64: return fn->type >= SPW_I8 && fn->type <= SPW_I64 && fn->out_type == SPW_I64;
    case SPW_WINDOW_SUM_F64: return fn->type == SPW_F64 && fn->out_type == SPW_F64;
    case SPW_WINDOW_SUM_I128:
      return (fn->type == SPW_I64 || fn->type == SPW_I128) && (fn->out_type == SPW_I64 || fn->out_type == SPW_I128);
    case SPW_WINDOW_MIN:
    case SPW_WINDOW_MAX:
    case SPW_WINDOW_FIRST:
    case SPW_WINDOW_LAST:
      return spw_width(fn->type) != 0 && fn->out_type == (fn->type == SPW_STR ? (int32_t)SPW_I64 : fn->type);
    case SPW_WINDOW_SUM_DEC: return (fn->type == SPW_I64 || fn->type == SPW_I128) && fn->out_type == SPW_I128;
    default: return 0;
  }
}

static int64_t check(const spw_window *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->rows < 0 || block->rows > SPW_WINDOW_MAX_ROWS ||
      block->nfunctions < 0 || block->ninputs < 0 || block->marks == 0 || block->lengths[0] == 0 ||
      block->lengths[1] == 0 || block->open[0] < 0 || block->open[1] < 0 ||
      (block->nfunctions > 0 && !spw_aligned(block->functions)) ||
      (block->ninputs > 0 && !spw_aligned(block->inputs))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_window_fn *functions = spw_at(block->functions);
  const spw_column *inputs = spw_at(block->inputs);
  for (int32_t f = 0; f < block->nfunctions; f++) {
    const spw_window_fn *fn = &functions[f];
    if (fn->values == 0 || fn->nulls == 0 || fn->scope < 0 || fn->scope > SPW_WINDOW_PARTITION || fn->input < -1 ||
        fn->input >= block->ninputs || (fn->input < 0 && fn->op > SPW_WINDOW_COUNT)) {
      return SPW_BAD_ARGUMENT;
    }
    if (!fits(fn) || (fn->input >= 0 && (inputs[fn->input].type != fn->type || spw_width(fn->type) == 0))) {
      return SPW_BAD_TYPE;
    }
    if (fn->input >= 0 && (inputs[fn->input].kind != SPW_VECTOR || inputs[fn->input].values == 0)) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

static void run(spw_window *block, spw_window_fn *fn, int32_t from, int32_t to) {
  const spw_u8 *marks = spw_at(block->marks);
  const spw_column *input = fn->input < 0 ? NULL : (const spw_column *)spw_at(block->inputs) + fn->input;
  const step s = {fn, input == NULL ? NULL : spw_at(input->values),
                  input == NULL || input->nulls == 0 ? NULL : (const spw_u8 *)spw_at(input->nulls),
                  spw_width(fn->type)};
  int open = fn->scope != SPW_WINDOW_ROW && block->open[fn->scope - 1] > 0;
  int64_t groups = 0;
  for (int32_t i = from; i < to; i++) {
    if (open && ends(fn->scope, marks[i])) put(fn, groups++);
    open = fn->scope != SPW_WINDOW_ROW;
    if (marks[i] == SPW_WINDOW_NEW_PARTITION) reset(fn);
    update(&s, i, block->place + i - from, marks[i]);
    if (fn->scope == SPW_WINDOW_ROW) put(fn, i);
  }
}

static void count_groups(spw_window *block, int32_t scope, int32_t from, int32_t to) {
  const spw_u8 *marks = spw_at(block->marks);
  spw_i64 *lengths = spw_at(block->lengths[scope - 1]);
  int64_t open = block->open[scope - 1];
  int32_t ended = 0;
  for (int32_t i = from; i < to; i++) {
    if (open > 0 && ends(scope, marks[i])) {
      lengths[ended++] = open;
      open = 0;
    }
    open++;
  }
  block->open[scope - 1] = open;
  block->ended[scope - 1] = ended;
}

int64_t SPW_FN(spw_window_run)(spw_window *block, int32_t from, int32_t to) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  if (from < 0 || to < from || to > block->rows) return SPW_BAD_ARGUMENT;
  spw_window_fn *functions = spw_at(block->functions);
  for (int32_t f = 0; f < block->nfunctions; f++) run(block, &functions[f], from, to);
  count_groups(block, SPW_WINDOW_PEERS, from, to);
  count_groups(block, SPW_WINDOW_PARTITION, from, to);
  return to - from;
}

int64_t SPW_FN(spw_window_end)(spw_window *block, int32_t partition) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  spw_window_fn *functions = spw_at(block->functions);
  int64_t all = 0;
  for (int32_t scope = SPW_WINDOW_PEERS; scope <= SPW_WINDOW_PARTITION; scope++) {
    const int end = block->open[scope - 1] > 0 && (scope == SPW_WINDOW_PEERS || partition != 0);
    block->ended[scope - 1] = end;
    if (!end) continue;
    for (int32_t f = 0; f < block->nfunctions; f++) {
      if (functions[f].scope == scope) put(&functions[f], 0);
    }
    *(spw_i64 *)spw_at(block->lengths[scope - 1]) = block->open[scope - 1];
    block->open[scope - 1] = 0;
    all++;
  }
  return all;
}

static int64_t check_spread(const spw_window_spread *block, int32_t rows) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || rows < 0 || rows > SPW_WINDOW_MAX_ROWS || block->groups < 0 ||
      block->group < 0 || block->group > block->groups || block->used < 0 ||
      (block->groups > 0 && block->lengths == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  return 0;
}

int64_t SPW_FN(spw_window_spread_over)(spw_window_spread *block, int32_t rows) {
  const int64_t bad = check_spread(block, rows);
  if (bad != 0) return bad;
  if (rows > 0 && block->selection == 0) return SPW_BAD_ARGUMENT;
  const spw_i64 *lengths = spw_at(block->lengths);
  spw_i32 *selection = spw_at(block->selection);
  int32_t done = 0;
  int64_t used = block->used;
  for (int32_t g = block->group; g < block->groups && done < rows; g++, used = 0) {
    for (; used < lengths[g] && done < rows; used++) selection[done++] = g;
  }
  return done;
}

int64_t SPW_FN(spw_window_spread_skip)(spw_window_spread *block, int32_t rows) {
  const int64_t bad = check_spread(block, rows);
  if (bad != 0) return bad;
  const spw_i64 *lengths = spw_at(block->lengths);
  int64_t left = rows;
  while (left > 0 && block->group < block->groups) {
    const int64_t rest = lengths[block->group] - block->used;
    const int64_t taken = left < rest ? left : rest;
    block->used += taken;
    left -= taken;
    if (block->used >= lengths[block->group]) {
      block->group++;
      block->used = 0;
    }
  }
  return left == 0 ? rows : SPW_BAD_ARGUMENT;
}
