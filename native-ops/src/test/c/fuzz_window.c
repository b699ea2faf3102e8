/*
 * Window functions: random sorted keys in slices, functions that count, sum, or find the row of a
 * string, and what each group comes to, against loops over all rows. The other functions are
 * compared with Spark's from Java.
 */
#include "fuzz_window.h"

#include "spw_window.h"

typedef struct build {
  int64_t (*mark)(spw_window *);
  int64_t (*keep)(spw_window *);
  int64_t (*run)(spw_window *, int32_t, int32_t);
  int64_t (*end)(spw_window *, int32_t);
  int64_t (*over)(spw_window_spread *, int32_t);
  int64_t (*skip)(spw_window_spread *, int32_t);
} build;
#define SPW_BUILD(suffix)                                                                          \
  {spw_window_mark##suffix, spw_window_keep##suffix,        spw_window_run##suffix,                \
   spw_window_end##suffix,  spw_window_spread_over##suffix, spw_window_spread_skip##suffix},
static const build builds[] = {SPW_LEVELS(SPW_BUILD)};

#define ROWS 300
#define FUNCTIONS 21

static spw_window_fn function(arena *a, int32_t op, int32_t scope, int32_t slice) {
  const int string = op >= SPW_WINDOW_MIN && op <= SPW_WINDOW_LAST, decimal = op == SPW_WINDOW_SUM_DEC;
  const int input = op >= SPW_WINDOW_COUNT;
  const int32_t out = decimal ? SPW_I128 : input ? SPW_I64 : SPW_I32;
  spw_window_fn fn;
  memset(&fn, 0, sizeof fn);
  fn.values = arena_address(a, (size_t)slice * (size_t)spw_width(out));
  fn.nulls = arena_address(a, (size_t)slice);
  fn.op = op;
  fn.type = string ? SPW_STR : decimal ? SPW_I128 : input ? SPW_I64 : 0;
  fn.out_type = out;
  fn.input = string ? 2 : decimal ? 1 : input ? 0 : -1;
  fn.ignore_nulls = op == SPW_WINDOW_LAST;
  fn.scope = scope;
  return fn;
}

static void fuzz_spread(rng *r, arena *a, const build *b) {
  const int32_t groups = 1 + (int32_t)rng_below(r, 20);
  int64_t *lengths = arena_take(a, (size_t)groups * 8);
  int32_t all = 0, wanted[400];
  for (int32_t g = 0; g < groups; g++) {
    lengths[g] = 1 + (int64_t)rng_below(r, 20);
    for (int64_t i = 0; i < lengths[g]; i++) wanted[all++] = g;
  }
  spw_window_spread *block = arena_take(a, sizeof *block);
  memset(block, 0, sizeof *block);
  block->lengths = (uint64_t)(uintptr_t)lengths;
  block->groups = groups;
  for (int32_t at = 0; at < all;) {
    const int32_t rows = 1 + (int32_t)rng_below(r, 50);
    int32_t *selection = arena_take(a, (size_t)rows * 4);
    block->selection = (uint64_t)(uintptr_t)selection;
    const int64_t found = b->over(block, rows);
    CHECK(found == (all - at < rows ? all - at : rows));
    for (int32_t i = 0; i < found; i++) CHECK(selection[i] == wanted[at + i]);
    const int32_t taken = 1 + (int32_t)rng_below(r, (uint64_t)found);
    CHECK(b->skip(block, taken) == taken);
    at += taken;
  }
  CHECK(b->over(block, 1) == 0);
  CHECK(b->skip(block, 1) == SPW_BAD_ARGUMENT);
}

/* What a caller does between two runs: the strings of the rows go. */
static void keep_strings(arena *a, spw_window_fn *fns) {
  for (int32_t f = 0; f < FUNCTIONS; f++) {
    if (fns[f].op != SPW_WINDOW_MIN && fns[f].op != SPW_WINDOW_MAX) continue;
    spw_str s;
    memcpy(&s, fns[f].state, sizeof s);
    if (s.length <= SPW_INLINE_BYTES) continue;
    s.tail.address = (uint64_t)(uintptr_t)memcpy(arena_take(a, s.length), spw_at(s.tail.address), s.length);
    memcpy(fns[f].state, &s, sizeof s);
  }
}

/* The row of the string that covers [from, row]. */
static int64_t string_row(int32_t op, const spw_str *texts, const uint8_t *null, int32_t from, int32_t row) {
  int64_t best = -1;
  for (int32_t i = from; i <= row; i++) {
    if (op == SPW_WINDOW_FIRST) return i;
    if (null[i]) continue;
    const int order = best < 0 ? 0 : str_order(&texts[i], &texts[best]);
    if (best < 0 || op == SPW_WINDOW_LAST || (op == SPW_WINDOW_MIN ? order < 0 : order > 0)) best = i;
  }
  return best;
}

static void check_decimal(const spw_window_fn *fn, int32_t g, const spw_wide *values, const uint8_t *null, int32_t from,
                          int32_t row) {
  big sum = big_of(0);
  int seen = 0;
  for (int32_t i = from; i <= row; i++) {
    if (!null[i]) sum = big_add(sum, big_of(values[i])), seen = 1;
  }
  const big limit = big_power_of_ten(38);
  const int none = !seen || big_compare_magnitude(&sum, &limit) >= 0;
  CHECK(((const uint8_t *)spw_at(fn->nulls))[g] == none);
  spw_wide expected = 0;
  if (none) return;
  CHECK(big_to_wide(&sum, &expected));
  CHECK(((const spw_i128 *)spw_at(fn->values))[g] == expected);
}

static void fuzz_level(rng r, const build *b) {
  arena a = {0};
  const int32_t slice = 1 + (int32_t)rng_below(&r, 40), total = 1 + (int32_t)rng_below(&r, ROWS);
  int32_t partition[ROWS], order[ROWS];
  int64_t value[ROWS];
  uint8_t null[ROWS];
  spw_wide wide[ROWS];
  spw_str texts[ROWS];
  int32_t p = 0, o = 0;
  const uint64_t ends = 1 + rng_below(&r, 30), ties = 1 + rng_below(&r, 5);
  for (int32_t i = 0; i < total; i++) {
    if (i > 0 && rng_one_in(&r, ends)) p++;
    if (i > 0 && rng_one_in(&r, ties)) o++;
    partition[i] = p;
    order[i] = o;
    value[i] = (int64_t)rng_next(&r);
    null[i] = rng_one_in(&r, 4);
    wide[i] = spw_power_of_ten(37) * (spw_wide)(1 + rng_below(&r, 9)) * (rng_one_in(&r, 3) ? -1 : 1) + (int32_t)i;
    texts[i] = fuzz_string(&r, &a, 20);
  }
  spw_window *w = arena_take(&a, sizeof *w);
  memset(w, 0, sizeof *w);
  spw_column *keys = arena_take(&a, 2 * sizeof *keys), *last = arena_take(&a, 2 * sizeof *last);
  spw_column *input = arena_take(&a, 3 * sizeof *input);
  spw_window_fn *fns = arena_take(&a, FUNCTIONS * sizeof *fns);
  static const int32_t ops[] = {SPW_WINDOW_ROW_NUMBER, SPW_WINDOW_RANK, SPW_WINDOW_SUM_I64, SPW_WINDOW_SUM_DEC,
                                SPW_WINDOW_MIN,        SPW_WINDOW_FIRST, SPW_WINDOW_LAST};
  for (int32_t f = 0; f < FUNCTIONS; f++) fns[f] = function(&a, f == FUNCTIONS - 3 ? SPW_WINDOW_MAX : ops[f % 7], f / 7, slice);
  for (int32_t k = 0; k < 2; k++) {
    last[k] = (spw_column){arena_address(&a, 16), arena_address(&a, 1), k == 0 ? SPW_STR : SPW_I32, SPW_VECTOR, 0, 0};
  }
  w->keys = (uint64_t)(uintptr_t)keys;
  w->inputs = (uint64_t)(uintptr_t)input;
  w->functions = (uint64_t)(uintptr_t)fns;
  w->last = (uint64_t)(uintptr_t)last;
  w->marks = arena_address(&a, (size_t)slice);
  w->lengths[0] = arena_address(&a, (size_t)slice * 8);
  w->lengths[1] = arena_address(&a, (size_t)slice * 8);
  w->npartition = 1;
  w->nkeys = 2;
  w->ninputs = 3;
  w->nfunctions = FUNCTIONS;
  int32_t done[2] = {0, 0}; /* rows of groups that have ended, by scope */
  for (int32_t at = 0; at <= total;) {
    const int32_t rows = total - at < slice ? total - at : slice;
    if (rows > 0) {
      spw_string *strings = arena_take(&a, (size_t)rows * 16);
      int32_t *orders = arena_take(&a, (size_t)rows * 4);
      for (int32_t i = 0; i < rows; i++) {
        char text[40];
        const int n = snprintf(text, sizeof text, partition[at + i] % 2 ? "%d" : "a long partition key %d", partition[at + i]);
        const spw_str s = fuzz_string_of(&a, text, (uint32_t)n);
        memcpy(&strings[i], &s, sizeof s);
        orders[i] = order[at + i];
      }
      keys[0] = (spw_column){(uint64_t)(uintptr_t)strings, 0, SPW_STR, SPW_VECTOR, 0, 0};
      keys[1] = (spw_column){(uint64_t)(uintptr_t)orders, 0, SPW_I32, SPW_VECTOR, 0, 0};
      *input = (spw_column){(uint64_t)(uintptr_t)(value + at), (uint64_t)(uintptr_t)(null + at), SPW_I64, SPW_VECTOR, 0, 0};
      input[1] = (spw_column){(uint64_t)(uintptr_t)(wide + at), (uint64_t)(uintptr_t)(null + at), SPW_I128, SPW_VECTOR, 0, 0};
      input[2] = (spw_column){(uint64_t)(uintptr_t)(texts + at), (uint64_t)(uintptr_t)(null + at), SPW_STR, SPW_VECTOR, 0, 0};
      w->rows = rows;
      w->place = at;
      CHECK(b->mark(w) == rows);
      int64_t kept = b->keep(w);
      if (kept == SPW_NEEDS_BYTES) {
        w->text = arena_address(&a, (size_t)w->need);
        w->text_bytes = (int32_t)w->need;
        kept = b->keep(w);
      }
      CHECK(kept == 0);
      CHECK(b->run(w, 0, rows) == rows);
      keep_strings(&a, fns);
    } else {
      CHECK(b->end(w, 1) == 2);
    }
    for (int32_t f = 0; f < FUNCTIONS; f++) {
      const int32_t scope = fns[f].scope;
      const int32_t count = scope == 0 ? rows : w->ended[scope - 1];
      int32_t end = scope == 0 ? at : done[scope - 1];
      for (int32_t g = 0; g < count; g++) {
        end += scope == 0 ? 1 : (int32_t)((int64_t *)spw_at(w->lengths[scope - 1]))[g];
        CHECK(end <= total);
        const int32_t row = end - 1;
        if (scope > 0 && end < total) {
          CHECK(partition[end] != partition[row] || (scope == 1 && order[end] != order[row]));
        }
        int64_t number = 0, rank = 0;
        uint64_t sum = 0;
        int seen = 0;
        int32_t first = row;
        while (first > 0 && partition[first - 1] == partition[row]) first--;
        for (int32_t i = 0; i <= row; i++) {
          if (partition[i] != partition[row]) continue;
          number++;
          if (rank == 0 && order[i] == order[row]) rank = number;
          if (!null[i]) sum += (uint64_t)value[i], seen = 1;
        }
        const void *out = spw_at(fns[f].values);
        if (fns[f].op == SPW_WINDOW_ROW_NUMBER) CHECK(((const int32_t *)out)[g] == number);
        if (fns[f].op == SPW_WINDOW_RANK) CHECK(((const int32_t *)out)[g] == rank);
        if (fns[f].op == SPW_WINDOW_SUM_DEC) check_decimal(&fns[f], g, wide, null, first, row);
        if (fns[f].type == SPW_STR) {
          CHECK(((const spw_i64 *)out)[g] == string_row(fns[f].op, texts, null, first, row));
          CHECK(((const uint8_t *)spw_at(fns[f].nulls))[g] == 0);
        }
        if (fns[f].op == SPW_WINDOW_SUM_I64) {
          CHECK(((const uint8_t *)spw_at(fns[f].nulls))[g] == !seen);
          if (seen) CHECK(((const uint64_t *)out)[g] == sum);
        }
      }
    }
    for (int32_t s = 0; s < 2; s++) {
      for (int32_t g = 0; g < w->ended[s]; g++) done[s] += (int32_t)((int64_t *)spw_at(w->lengths[s]))[g];
    }
    arena_check(&a);
    at += rows > 0 ? rows : 1;
  }
  CHECK(done[0] == total && done[1] == total);
  fuzz_spread(&r, &a, b);
  arena_free(&a);
}

void fuzz_window(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  for (int level = 0; level < nlevels; level++) fuzz_level(*r, &builds[level]);
  rng_next(r);
}
