/*
 * Frames that move: random partitions and frames, a function of each kind over each type that it
 * takes, rows that come by in chunks, against loops over each row's frame.
 */
#include "fuzz_frame.h"

#include "spw_frame.h"

typedef struct build {
  int64_t (*bounds)(spw_frame *);
  int64_t (*seek)(spw_frame_side *, int32_t);
  int64_t (*start)(spw_frame *);
  int64_t (*run)(spw_frame *, int32_t, int32_t);
  int64_t (*find)(spw_frame_pick *);
} build;
#define SPW_BUILD(suffix)                                                                      \
  {spw_frame_bounds##suffix, spw_frame_seek##suffix, spw_frame_start##suffix, spw_frame_run##suffix, \
   spw_frame_find##suffix},
static const build builds[] = {SPW_LEVELS(SPW_BUILD)};

#define MOST_ROWS 600
#define TYPES 9

typedef struct table {
  int32_t rows;
  int64_t start[MOST_ROWS]; /* of the row's partition */
  int64_t end[MOST_ROWS];
  spw_column columns[TYPES + 1]; /* by type */
} table;

static const int32_t sums[][3] = {
    {SPW_FRAME_COUNT, 0, SPW_I64},          {SPW_FRAME_COUNT, SPW_STR, SPW_I64},
    {SPW_FRAME_SUM_I64, SPW_I8, SPW_I64},   {SPW_FRAME_SUM_I64, SPW_I16, SPW_I64},
    {SPW_FRAME_SUM_I64, SPW_I32, SPW_I64},  {SPW_FRAME_SUM_I64, SPW_I64, SPW_I64},
    {SPW_FRAME_SUM_F64, SPW_F64, SPW_F64},  {SPW_FRAME_SUM_I128, SPW_I64, SPW_I64},
    {SPW_FRAME_SUM_I128, SPW_I64, SPW_I128}, {SPW_FRAME_SUM_I128, SPW_I128, SPW_I128}};
#define SUMS (int32_t)(sizeof sums / sizeof sums[0])

static spw_frame_fn random_function(rng *r, arena *a, int32_t rows) {
  spw_frame_fn fn;
  memset(&fn, 0, sizeof fn);
  const uint64_t kind = rng_below(r, 3);
  if (kind == 0) {
    const int32_t *sum = sums[rng_below(r, (uint64_t)SUMS)];
    fn.op = sum[0];
    fn.type = sum[1];
    fn.out_type = sum[2];
  } else if (kind == 1) {
    fn.op = rng_one_in(r, 2) ? SPW_FRAME_MIN : SPW_FRAME_MAX;
    fn.type = fn.out_type = 1 + (int32_t)rng_below(r, SPW_I128);
  } else {
    fn.op = SPW_FRAME_NTH;
    fn.type = 1 + (int32_t)rng_below(r, SPW_STR);
    fn.out_type = SPW_I64;
    fn.ignore_nulls = rng_one_in(r, 2);
    fn.nth = rng_one_in(r, 2) ? 1 + (int64_t)rng_below(r, 6) : fn.ignore_nulls ? -1 : -1 - (int64_t)rng_below(r, 6);
  }
  fn.input = fn.type == 0 ? -1 : fn.type;
  fn.values = arena_address(a, (size_t)rows * (size_t)spw_width(fn.out_type));
  fn.nulls = arena_address(a, (size_t)rows);
  fn.seen = arena_address(a, (size_t)rows * 8);
  return fn;
}

static double number_of(const spw_column *c, int64_t i) {
  const void *v = value_at(c, i);
  return c->type == SPW_F32 ? (double)*(const spw_f32 *)v : *(const spw_f64 *)v;
}

static spw_wide whole_of(const spw_column *c, int64_t i) {
  const void *v = value_at(c, i);
  switch (c->type) {
    case SPW_BOOL: return *(const spw_u8 *)v;
    case SPW_I8: return *(const spw_i8 *)v;
    case SPW_I16: return *(const spw_i16 *)v;
    case SPW_I32: return *(const spw_i32 *)v;
    case SPW_I64: return *(const spw_i64 *)v;
    default: return *(const spw_i128 *)v;
  }
}

static int below(const spw_column *c, int64_t i, int64_t j) {
  if (c->type != SPW_F32 && c->type != SPW_F64) return whole_of(c, i) < whole_of(c, j);
  const double x = number_of(c, i), y = number_of(c, j);
  return y != y ? x == x : x < y;
}

static void check_value(const table *t, const spw_frame_fn *fn, int64_t from, int64_t to, int32_t at) {
  const spw_column *c = fn->input < 0 ? NULL : &t->columns[fn->input];
  const size_t width = (size_t)spw_width(fn->out_type);
  const uint8_t *out = (const uint8_t *)spw_at(fn->values) + (size_t)at * width;
  int64_t seen = 0, best = -1, nth = -1;
  spw_uwide sum = 0;
  double real = 0;
  for (int64_t i = from; i < to; i++) {
    if (c != NULL && null_at(c, i) && !(fn->op == SPW_FRAME_NTH && !fn->ignore_nulls)) continue;
    seen++;
    if (fn->op == SPW_FRAME_SUM_F64) real += number_of(c, i);
    else if (fn->op == SPW_FRAME_SUM_I64 || fn->op == SPW_FRAME_SUM_I128) sum += (spw_uwide)whole_of(c, i);
    else if (fn->op == SPW_FRAME_MIN && (best < 0 || below(c, i, best))) best = i;
    else if (fn->op == SPW_FRAME_MAX && (best < 0 || below(c, best, i))) best = i;
    if (seen == fn->nth || fn->nth == -1) nth = i;
  }
  if (fn->op == SPW_FRAME_NTH) {
    if (fn->nth < -1) nth = to + fn->nth >= from ? to + fn->nth : -1;
    CHECK(*(const spw_i64 *)(const void *)out == nth);
    return;
  }
  const int null = ((const uint8_t *)spw_at(fn->nulls))[at];
  CHECK(null == (fn->op != SPW_FRAME_COUNT && seen == 0));
  if (null) return;
  switch (fn->op) {
    case SPW_FRAME_COUNT: CHECK(*(const spw_i64 *)(const void *)out == seen); break;
    case SPW_FRAME_SUM_F64: CHECK(memcmp(out, &real, 8) == 0 || (real != real && *(const spw_f64 *)(const void *)out != real)); break;
    case SPW_FRAME_MIN:
    case SPW_FRAME_MAX: CHECK(memcmp(out, value_at(c, best), width) == 0); break;
    default: CHECK(memcmp(out, &sum, width) == 0); break;
  }
}

static void random_table(rng *r, arena *a, table *t) {
  t->rows = 1 + (int32_t)rng_below(r, MOST_ROWS);
  const uint64_t usual = 1 + rng_below(r, 200);
  for (int32_t at = 0; at < t->rows;) {
    int32_t length = 1 + (int32_t)rng_below(r, usual);
    if (length > t->rows - at) length = t->rows - at;
    for (int32_t i = at; i < at + length; i++) {
      t->start[i] = at;
      t->end[i] = at + length;
    }
    at += length;
  }
  for (int32_t type = 1; type <= TYPES; type++) {
    fuzz_column(r, a, &t->columns[type], type, SPW_VECTOR, t->rows, (int)rng_below(r, 4));
  }
}

/* The lengths of the partitions from that of `place` on, as a queue of groups has them. */
static void describe(arena *a, const table *t, int64_t place, spw_frame *f) {
  int64_t *lengths = arena_take(a, (size_t)t->rows * 8);
  spw_window_spread *spread = arena_take(a, sizeof *spread);
  memset(spread, 0, sizeof *spread);
  for (int64_t at = t->start[place]; at < t->rows; at = t->end[at]) lengths[spread->groups++] = t->end[at] - at;
  spread->lengths = (uint64_t)(uintptr_t)lengths;
  spread->used = place - t->start[place];
  f->spread = (uint64_t)(uintptr_t)spread;
}

static void run_chunks(rng *r, arena *a, const table *t, const build *b, spw_frame *f) {
  const int64_t first = ((int64_t *)spw_at(f->from))[0], last = ((int64_t *)spw_at(f->to))[f->rows - 1];
  spw_column *inputs = arena_take(a, (TYPES + 1) * sizeof *inputs);
  f->inputs = (uint64_t)(uintptr_t)inputs;
  for (int64_t at = first; at < last;) {
    const int64_t rows = 1 + (int64_t)rng_below(r, (uint64_t)(last - at));
    memset(inputs, 0, sizeof *inputs);
    for (int32_t type = 1; type <= TYPES; type++) {
      inputs[type] = t->columns[type];
      inputs[type].values = (uint64_t)(uintptr_t)value_at(&t->columns[type], at);
      if (inputs[type].nulls != 0) inputs[type].nulls += (uint64_t)at;
    }
    f->chunk = at;
    f->chunk_rows = (int32_t)rows;
    for (int32_t fn = 0; fn < f->nfunctions; fn++) {
      for (int64_t row = 0; row < f->rows;) {
        const int64_t next = b->run(f, fn, (int32_t)row);
        CHECK(next > row);
        row = next;
      }
    }
    at += rows;
  }
}

static void fuzz_find(rng *r, arena *a, const table *t, const build *b) {
  const int32_t page_rows = 1 + (int32_t)rng_below(r, 100), rows = (int32_t)rng_below(r, 100);
  const int64_t first = (int64_t)rng_below(r, 1000);
  int64_t *places = arena_take(a, (size_t)rows * 8 + 8);
  uint64_t *handles = arena_take(a, (size_t)rows * 8 + 8);
  int32_t wanted = rows;
  for (int32_t i = 0; i < rows; i++) {
    places[i] = rng_one_in(r, 5) ? -1 : first + (int64_t)rng_below(r, (uint64_t)page_rows);
    if (rng_one_in(r, 200)) places[i] = rng_one_in(r, 2) ? first + page_rows : first - 1;
    if (wanted == rows && places[i] >= 0 && (places[i] < first || places[i] >= first + page_rows)) wanted = i;
  }
  spw_frame_pick *pick = arena_take(a, sizeof *pick);
  *pick = (spw_frame_pick){(uint64_t)(uintptr_t)places, (uint64_t)(uintptr_t)handles, first, page_rows, 24 + 8 * (t->rows % 5), rows, 0};
  CHECK(b->find(pick) == wanted);
  for (int32_t i = 0; i < wanted; i++) {
    const uint64_t offset = 16 + (uint64_t)(places[i] - first) * (uint64_t)pick->row_width;
    CHECK(handles[i] == (places[i] < 0 ? 0 : offset / 8));
  }
}

/* Keys in order within each partition, as whole numbers; INT32_MIN stands for null. */
typedef struct ranged {
  int32_t key[MOST_ROWS];
  int descending;
  int nulls_last;
} ranged;

static int compare_ranged(const ranged *k, int64_t x, int64_t y) {
  if (x == INT32_MIN || y == INT32_MIN) {
    const int c = (y == INT32_MIN) - (x == INT32_MIN);
    return k->nulls_last ? -c : c;
  }
  const int c = x < y ? -1 : x > y;
  return k->descending ? -c : c;
}

static void random_keys(rng *r, const table *t, ranged *k) {
  k->descending = rng_one_in(r, 2);
  k->nulls_last = rng_one_in(r, 2);
  for (int64_t i = 0; i < t->rows; i++) {
    if (i == t->start[i]) k->key[i] = (int32_t)rng_below(r, 100) - 50;
    else k->key[i] = k->key[i - 1] + (k->descending ? -1 : 1) * (int32_t)rng_below(r, 4);
  }
  /* Nulls at the end where they belong. */
  for (int64_t s = 0; s < t->rows; s = t->end[s]) {
    const int64_t nulls = rng_one_in(r, 2) ? 0 : (int64_t)rng_below(r, (uint64_t)(t->end[s] - s + 1));
    for (int64_t i = 0; i < nulls; i++) k->key[k->nulls_last ? t->end[s] - 1 - i : s + i] = INT32_MIN;
  }
}

static void fill_keys(const ranged *k, int32_t type, int64_t offset, int64_t at, int32_t rows, arena *a, spw_column *c) {
  const int32_t width = spw_width(type);
  c->values = arena_address(a, (size_t)rows * (size_t)width);
  c->nulls = arena_address(a, (size_t)rows);
  c->type = type;
  c->kind = SPW_VECTOR;
  for (int32_t i = 0; i < rows; i++) {
    const int64_t value = (int64_t)k->key[at + i] + (k->descending ? -offset : offset);
    ((uint8_t *)spw_at(c->nulls))[i] = k->key[at + i] == INT32_MIN;
    if (type == SPW_F64) ((spw_f64 *)spw_at(c->values))[i] = (double)value;
    else if (type == SPW_I64) ((spw_i64 *)spw_at(c->values))[i] = value;
    else ((spw_i32 *)spw_at(c->values))[i] = (int32_t)value;
  }
}

static void seek_side(rng *r, arena *a, const table *t, const build *b, const ranged *k, int32_t type, int64_t offset,
                      int upper, int64_t place, int32_t rows, spw_frame_side *side) {
  spw_column *keys = arena_take(a, sizeof *keys), *bounds = arena_take(a, sizeof *bounds);
  memset(keys, 0, sizeof *keys);
  memset(bounds, 0, sizeof *bounds);
  fill_keys(k, type, 0, 0, 1, a, keys);
  side->keys = (uint64_t)(uintptr_t)keys;
  side->bounds = (uint64_t)(uintptr_t)bounds;
  side->upper = upper;
  side->descending = k->descending;
  side->nulls_last = k->nulls_last;
  side->rows = rows;
  side->count = side->first = side->chunk_rows = 0;
  fill_keys(k, type, offset, place, 1, a, bounds);
  for (int32_t row = 0; row < rows;) {
    const int64_t next = b->seek(side, row);
    CHECK(next >= row && next <= rows);
    row = (int32_t)next;
    if (row == rows) break;
    if (row >= side->first + side->count) {
      side->first = row;
      side->count = 1 + (int32_t)rng_below(r, (uint64_t)(rows - row));
      fill_keys(k, type, offset, place + row, side->count, a, bounds);
    } else {
      CHECK(side->at < side->chunk || side->at >= side->chunk + side->chunk_rows);
      side->chunk = side->at;
      side->chunk_rows = 1 + (int32_t)rng_below(r, (uint64_t)(t->rows - side->at));
      fill_keys(k, type, 0, side->at, side->chunk_rows, a, keys);
    }
  }
}

static void fuzz_sides(rng *r, arena *a, const table *t, const build *b) {
  ranged *k = arena_take(a, sizeof *k);
  random_keys(r, t, k);
  static const int32_t types[] = {SPW_I32, SPW_I64, SPW_F64};
  const int32_t type = types[rng_below(r, 3)];
  const int64_t low = (int64_t)rng_below(r, 20) - 10, high = low + (int64_t)rng_below(r, 20) - 2;
  spw_frame_side *sides = arena_take(a, 2 * sizeof *sides);
  memset(sides, 0, 2 * sizeof *sides);
  for (int64_t place = 0; place < t->rows;) {
    const int32_t rows = 1 + (int32_t)rng_below(r, (uint64_t)(t->rows - place));
    int64_t *from = arena_take(a, (size_t)rows * 8), *to = arena_take(a, (size_t)rows * 8);
    memcpy(from, t->start + place, (size_t)rows * 8);
    memcpy(to, t->end + place, (size_t)rows * 8);
    for (int32_t upper = 1; upper >= 0; upper--) {
      sides[upper].from = (uint64_t)(uintptr_t)from;
      sides[upper].to = (uint64_t)(uintptr_t)to;
      seek_side(r, a, t, b, k, type, upper ? high : low, upper, place, rows, &sides[upper]);
    }
    for (int32_t i = 0; i < rows; i++) {
      const int64_t row = place + i, sign = k->descending ? -1 : 1;
      const int null = k->key[row] == INT32_MIN;
      int64_t first = t->start[row], last = t->start[row];
      for (int64_t j = t->start[row]; j < t->end[row]; j++) {
        first += compare_ranged(k, k->key[j], null ? INT32_MIN : k->key[row] + sign * low) < 0;
        last += compare_ranged(k, k->key[j], null ? INT32_MIN : k->key[row] + sign * high) <= 0;
      }
      CHECK(to[i] == last);
      CHECK(from[i] == (first < last ? first : last));
    }
    place += rows;
  }
}

static void fuzz_level(rng r, const build *b) {
  arena a = {0};
  table *t = arena_take(&a, sizeof *t);
  random_table(&r, &a, t);
  const int64_t place = (int64_t)rng_below(&r, (uint64_t)t->rows);
  spw_frame *f = arena_take(&a, sizeof *f);
  memset(f, 0, sizeof *f);
  f->rows = 1 + (int32_t)rng_below(&r, (uint64_t)(t->rows - place));
  f->nfunctions = 1 + (int32_t)rng_below(&r, 5);
  f->ninputs = TYPES + 1;
  f->place = place;
  const uint64_t wide = 1 + rng_below(&r, 100);
  f->lower = (int64_t)rng_below(&r, 2 * wide) - (int64_t)wide;
  f->upper = f->lower + (int64_t)rng_below(&r, 2 * wide) - (rng_one_in(&r, 8) ? 3 : 0);
  if (rng_one_in(&r, 10)) f->lower = INT32_MIN;
  if (rng_one_in(&r, 10)) f->upper = INT32_MAX;
  f->unbounded = rng_one_in(&r, 2) ? 0 : (int32_t)rng_below(&r, 4);
  f->from = arena_address(&a, (size_t)f->rows * 8);
  f->to = arena_address(&a, (size_t)f->rows * 8);
  spw_frame_fn *fns = arena_take(&a, (size_t)f->nfunctions * sizeof *fns);
  for (int32_t i = 0; i < f->nfunctions; i++) fns[i] = random_function(&r, &a, f->rows);
  f->functions = (uint64_t)(uintptr_t)fns;
  describe(&a, t, place, f);
  CHECK(b->bounds(f) == f->rows);
  CHECK(b->start(f) == f->rows);
  run_chunks(&r, &a, t, b, f);
  for (int32_t i = 0; i < f->rows; i++) {
    const int64_t row = place + i;
    int64_t from = (f->unbounded & 1) != 0 ? t->start[row] : row + f->lower;
    int64_t to = (f->unbounded & 2) != 0 ? t->end[row] : row + f->upper + 1;
    if (from < t->start[row]) from = t->start[row];
    if (to > t->end[row]) to = t->end[row];
    for (int32_t fn = 0; fn < f->nfunctions; fn++) check_value(t, &fns[fn], from, to, i);
  }
  /* One row more than there are partitions for. */
  f->rows = t->rows - (int32_t)place + 1;
  f->nfunctions = 0;
  f->from = arena_address(&a, (size_t)f->rows * 8);
  f->to = arena_address(&a, (size_t)f->rows * 8);
  CHECK(b->bounds(f) == SPW_BAD_ARGUMENT);
  fuzz_sides(&r, &a, t, b);
  fuzz_find(&r, &a, t, b);
  arena_free(&a);
}

void fuzz_frame(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  for (int level = 0; level < nlevels; level++) fuzz_level(*r, &builds[level]);
  rng_next(r);
}
