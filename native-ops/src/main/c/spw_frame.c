/* Frames of rows, and the functions over them. */
#include "spw_column.h"
#include "spw_frame.h"

/* One function, one chunk: rows [first, last) of the chunk belong to the frame of output row `row`. */
typedef struct part {
  const spw_frame_fn *fn;
  const void *values;
  const spw_u8 *nulls; /* NULL: no nulls */
  int64_t chunk;
  int64_t row;
  int64_t first;
  int64_t last;
} part;

SPW_INLINE int is_null(const part *p, int64_t i) { return p->nulls != NULL && p->nulls[i] != 0; }

static int64_t values_in(const part *p) {
  if (p->nulls == NULL) return p->last - p->first;
  int64_t seen = 0;
  for (int64_t i = p->first; i < p->last; i++) seen += p->nulls[i] == 0;
  return seen;
}

static int64_t sum_i64(const part *p) {
  spw_u64 *out = (spw_u64 *)spw_at(p->fn->values) + p->row;
  uint64_t sum = *out;
  for (int64_t i = p->first; i < p->last; i++) {
    if (!is_null(p, i)) sum += (uint64_t)spw_whole_at(p->fn->type, p->values, i);
  }
  *out = sum;
  return values_in(p);
}

/* One after the other: the order of additions shows in the result. */
static int64_t sum_f64(const part *p) {
  spw_f64 *out = (spw_f64 *)spw_at(p->fn->values) + p->row;
  const spw_f64 *values = p->values;
  double sum = *out;
  for (int64_t i = p->first; i < p->last; i++) {
    if (!is_null(p, i)) sum += values[i];
  }
  *out = sum;
  return values_in(p);
}

static int64_t sum_i128(const part *p) {
  spw_uwide sum = 0;
  for (int64_t i = p->first; i < p->last; i++) {
    if (is_null(p, i)) continue;
    sum += p->fn->type == SPW_I128 ? (spw_uwide)((const spw_i128 *)p->values)[i]
                                   : (spw_uwide)(spw_wide)((const spw_i64 *)p->values)[i];
  }
  if (p->fn->out_type == SPW_I64) {
    ((spw_u64 *)spw_at(p->fn->values))[p->row] += (uint64_t)sum;
  } else {
    spw_i128 *out = (spw_i128 *)spw_at(p->fn->values) + p->row;
    *out = (spw_wide)((spw_uwide)*out + sum);
  }
  return values_in(p);
}

SPW_INLINE int64_t extreme_of(const part *p, int32_t type, int greatest) {
  const uint8_t *values = p->values;
  uint8_t *out = spw_at(p->fn->values);
  const int64_t width = spw_width(type);
  int64_t seen = ((const spw_i64 *)spw_at(p->fn->seen))[p->row] != 0, best = -1;
  for (int64_t i = p->first; i < p->last; i++) {
    if (is_null(p, i)) continue;
    if (seen) {
      const void *than = best >= 0 ? (const void *)values : (const void *)out;
      const int64_t at = best >= 0 ? best : p->row;
      if (!(greatest ? spw_less_at(type, than, at, values, i) : spw_less_at(type, values, i, than, at))) continue;
    }
    best = i;
    seen = 1;
  }
  if (best >= 0) memcpy(out + p->row * width, values + best * width, (size_t)width);
  return values_in(p);
}

static int64_t extreme(const part *p) {
  const int greatest = p->fn->op == SPW_FRAME_MAX;
  switch (p->fn->type) {
    case SPW_BOOL: return extreme_of(p, SPW_BOOL, greatest);
    case SPW_I8: return extreme_of(p, SPW_I8, greatest);
    case SPW_I16: return extreme_of(p, SPW_I16, greatest);
    case SPW_I32: return extreme_of(p, SPW_I32, greatest);
    case SPW_I64: return extreme_of(p, SPW_I64, greatest);
    case SPW_F32: return extreme_of(p, SPW_F32, greatest);
    case SPW_F64: return extreme_of(p, SPW_F64, greatest);
    default: return extreme_of(p, SPW_I128, greatest);
  }
}

/* The nth value that is not null, or the last one. */
static int64_t nth_value(const part *p) {
  spw_i64 *out = (spw_i64 *)spw_at(p->fn->values) + p->row;
  int64_t seen = ((const spw_i64 *)spw_at(p->fn->seen))[p->row];
  const int64_t before = seen;
  if (p->fn->nth > 0 && seen >= p->fn->nth) return 0;
  for (int64_t i = p->first; i < p->last; i++) {
    if (is_null(p, i)) continue;
    seen++;
    if (p->fn->nth < 0 || seen == p->fn->nth) *out = p->chunk + i;
    if (seen == p->fn->nth) break;
  }
  return seen - before;
}

static int64_t take(const part *p) {
  switch (p->fn->op) {
    case SPW_FRAME_COUNT: {
      const int64_t seen = values_in(p);
      ((spw_i64 *)spw_at(p->fn->values))[p->row] += seen;
      return seen;
    }
    case SPW_FRAME_SUM_I64: return sum_i64(p);
    case SPW_FRAME_SUM_F64: return sum_f64(p);
    case SPW_FRAME_SUM_I128: return sum_i128(p);
    case SPW_FRAME_NTH: return nth_value(p);
    default: return extreme(p);
  }
}

/* ---- checks ---- */

static int fits(const spw_frame_fn *fn) {
  switch (fn->op) {
    case SPW_FRAME_COUNT: return fn->out_type == SPW_I64;
    case SPW_FRAME_SUM_I64: return fn->type >= SPW_I8 && fn->type <= SPW_I64 && fn->out_type == SPW_I64;
    case SPW_FRAME_SUM_F64: return fn->type == SPW_F64 && fn->out_type == SPW_F64;
    case SPW_FRAME_SUM_I128:
      return (fn->type == SPW_I64 || fn->type == SPW_I128) && (fn->out_type == SPW_I64 || fn->out_type == SPW_I128);
    case SPW_FRAME_MIN:
    case SPW_FRAME_MAX: return fn->type != SPW_STR && spw_width(fn->type) != 0 && fn->out_type == fn->type;
    case SPW_FRAME_NTH: return fn->out_type == SPW_I64;
    default: return 0;
  }
}

/* Whether the values are known once the frames are. */
static int is_bounds_only(const spw_frame_fn *fn) {
  return fn->op == SPW_FRAME_NTH ? !fn->ignore_nulls : fn->op == SPW_FRAME_COUNT && fn->input < 0;
}

static int64_t check(const spw_frame *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->rows < 0 || block->rows > SPW_FRAME_MAX_ROWS ||
      block->nfunctions < 0 || block->ninputs < 0 || !spw_aligned(block->from) || !spw_aligned(block->to) ||
      block->unbounded < 0 || block->unbounded > 3 || block->lower != (int32_t)block->lower ||
      block->upper != (int32_t)block->upper || block->place < 0 ||
      (block->nfunctions > 0 && !spw_aligned(block->functions))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_frame_fn *functions = spw_at(block->functions);
  for (int32_t f = 0; f < block->nfunctions; f++) {
    const spw_frame_fn *fn = &functions[f];
    if (!fits(fn)) return SPW_BAD_TYPE;
    if (fn->values == 0 || (fn->op != SPW_FRAME_NTH && fn->nulls == 0) || !spw_aligned(fn->seen) || fn->input < -1 ||
        fn->input >= block->ninputs || (fn->input < 0 && !is_bounds_only(fn)) ||
        (fn->op == SPW_FRAME_NTH &&
         (fn->nth == 0 || fn->nth != (int32_t)fn->nth || (fn->ignore_nulls && fn->nth < -1)))) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

static void begin(const spw_frame *block, const spw_frame_fn *fn) {
  const spw_i64 *from = spw_at(block->from), *to = spw_at(block->to);
  spw_i64 *seen = spw_at(fn->seen);
  const size_t rows = (size_t)block->rows;
  memset(seen, 0, rows * sizeof *seen);
  if (fn->op == SPW_FRAME_NTH) {
    spw_i64 *out = spw_at(fn->values);
    for (size_t i = 0; i < rows; i++) {
      const int64_t at = fn->nth > 0 ? from[i] + fn->nth - 1 : to[i] + fn->nth;
      out[i] = fn->ignore_nulls || at < from[i] || at >= to[i] ? -1 : at;
    }
    return;
  }
  memset(spw_at(fn->values), 0, rows * (size_t)spw_width(fn->out_type));
  memset(spw_at(fn->nulls), fn->op != SPW_FRAME_COUNT, rows);
  if (is_bounds_only(fn)) {
    spw_i64 *out = spw_at(fn->values);
    for (size_t i = 0; i < rows; i++) out[i] = to[i] - from[i];
  }
}

int64_t SPW_FN(spw_frame_start)(spw_frame *block) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  const spw_frame_fn *functions = spw_at(block->functions);
  for (int32_t f = 0; f < block->nfunctions; f++) begin(block, &functions[f]);
  return block->rows;
}

/* ---- a chunk ---- */

/* The first output row from `row` on whose frame does not end before the chunk. */
static int64_t first_reaching(const spw_frame *block, int64_t row) {
  const spw_i64 *to = spw_at(block->to);
  int64_t low = row, high = block->rows;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (to[middle] <= block->chunk) low = middle + 1;
    else high = middle;
  }
  return low;
}

int64_t SPW_FN(spw_frame_run)(spw_frame *block, int32_t function, int32_t row) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  if (function < 0 || function >= block->nfunctions || row < 0 || row > block->rows || block->chunk < 0 ||
      block->chunk_rows < 0 || block->chunk_rows > SPW_FRAME_MAX_ROWS ||
      (block->ninputs > 0 && !spw_aligned(block->inputs))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_frame_fn *fn = (const spw_frame_fn *)spw_at(block->functions) + function;
  if (is_bounds_only(fn)) return block->rows;
  const spw_column *input = (const spw_column *)spw_at(block->inputs) + fn->input;
  if (input->type != fn->type || spw_width(fn->type) == 0) return SPW_BAD_TYPE;
  if (input->kind != SPW_VECTOR || input->values == 0) return SPW_BAD_ARGUMENT;
  const spw_i64 *from = spw_at(block->from), *to = spw_at(block->to);
  spw_i64 *seen = spw_at(fn->seen);
  const int64_t end = block->chunk + block->chunk_rows;
  part p = {fn, spw_at(input->values), input->nulls == 0 ? NULL : (const spw_u8 *)spw_at(input->nulls),
            block->chunk, 0, 0, 0};
  int64_t steps = 0;
  for (p.row = first_reaching(block, row); p.row < block->rows && from[p.row] < end; p.row++) {
    if (steps >= SPW_FRAME_STEPS) return p.row;
    p.first = spw_frame_within(from[p.row] - block->chunk, 0, block->chunk_rows);
    p.last = spw_frame_within(to[p.row] - block->chunk, p.first, block->chunk_rows);
    const int64_t values = take(&p);
    seen[p.row] += values;
    if (values > 0 && fn->op != SPW_FRAME_NTH) ((spw_u8 *)spw_at(fn->nulls))[p.row] = 0;
    steps += p.last - p.first + 1;
  }
  return block->rows;
}

/* ---- rows by their numbers ---- */

int64_t SPW_FN(spw_frame_find)(spw_frame_pick *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || !spw_aligned(block->places) || !spw_aligned(block->handles) ||
      block->rows < 0 || block->rows > SPW_FRAME_MAX_ROWS || block->page_rows < 0 || block->row_width <= 0 ||
      (block->row_width & 7) != 0) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_i64 *places = spw_at(block->places);
  spw_u64 *handles = spw_at(block->handles);
  for (int32_t i = 0; i < block->rows; i++) {
    const int64_t at = places[i] - block->first;
    if (places[i] < 0) {
      handles[i] = 0;
    } else if (at < 0 || at >= block->page_rows) {
      return i;
    } else {
      handles[i] = (sizeof(spw_page) + (uint64_t)at * (uint64_t)block->row_width) / 8;
    }
  }
  return block->rows;
}
