/* The early cut of the first rows: batches of one key, against a count of who is before whom. */
#include "fuzz_sort.h"
#include "spw_sort.h"

#define SPW_FIRST_LEVEL(suffix) spw_sort_first_select##suffix,
static int64_t (*const first_levels[])(spw_sort_first *) = {SPW_LEVELS(SPW_FIRST_LEVEL)};

#define BATCHES 4

/* The order of two rows of one key; nulls where `nulls_last` says. */
static int order(const spw_sort_first *f, const spw_column *a, int64_t i, const spw_column *b, int64_t j) {
  const int x = null_at(a, i), y = null_at(b, j);
  if (x && y) return 0;
  if (x != y) return x == (f->nulls_last != 0) ? 1 : -1;
  const int values = fuzz_order_values(a, i, b, j);
  return f->descending ? -values : values;
}

/* Rows given so far that are before a row, or that stayed and are equal to it. */
static void count(const spw_sort_first *f, const spw_column *columns, uint8_t *const *kept, int32_t batches,
                  int32_t batch, int32_t row, int32_t *before, int32_t *equal) {
  *before = 0;
  *equal = 0;
  for (int32_t b = 0; b < batches; b++) {
    for (int32_t i = 0; i < f->rows; i++) {
      if (!kept[b][i]) continue;
      const int o = order(f, &columns[b], i, &columns[batch], row);
      *before += o < 0;
      *equal += o == 0 && !(b == batch && i == row);
    }
  }
}

void fuzz_sort_first(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  int64_t (*const select)(spw_sort_first *) = first_levels[rng_below(r, (uint64_t)nlevels)];
  arena a = {NULL};
  spw_sort_first f;
  memset(&f, 0, sizeof f);
  const int32_t type = (int32_t)(1 + rng_below(r, 9));
  f.rows = (int32_t)rng_below(r, 120);
  f.limit = (int32_t)(1 + rng_below(r, rng_one_in(r, 3) ? 400 : 12));
  f.descending = rng_one_in(r, 2);
  f.nulls_last = rng_one_in(r, 2);
  const int nullable = rng_one_in(r, 2);
  f.exact = type != SPW_STR && type != SPW_I128 && (spw_width(type) < 8 || !nullable) && rng_one_in(r, 2);
  f.heap = arena_address(&a, sizeof(uint64_t) * (size_t)f.limit);
  int32_t *selection = arena_take(&a, sizeof(int32_t) * (size_t)(f.rows + 1));
  f.selection = (uint64_t)(uintptr_t)selection;
  spw_column columns[BATCHES];
  uint8_t *kept[BATCHES];
  int32_t stayed = 0;
  for (int32_t b = 0; b < BATCHES; b++) {
    const int32_t kind = rng_one_in(r, 5) ? SPW_CONSTANT : SPW_VECTOR;
    fuzz_column(r, &a, &columns[b], type, kind, f.rows, nullable ? (int)rng_below(r, 4) : (int)rng_below(r, 2));
    f.column = (uint64_t)(uintptr_t)&columns[b];
    const int64_t selected = select(&f);
    CHECK(selected >= 0 && selected <= f.rows);
    kept[b] = arena_take(&a, (size_t)f.rows + 1);
    memset(kept[b], 0, (size_t)f.rows + 1);
    for (int64_t i = 0; i < selected; i++) {
      CHECK(selection[i] >= 0 && selection[i] < f.rows && (i == 0 || selection[i] > selection[i - 1]));
      kept[b][selection[i]] = 1;
    }
    stayed += (int32_t)selected;
    /* Who went has enough before it; among equal ones it does not matter who stays. */
    for (int32_t i = 0; i < f.rows; i++) {
      int32_t before, equal;
      if (kept[b][i]) continue;
      count(&f, columns, kept, b + 1, b, i, &before, &equal);
      CHECK(before + (f.exact ? equal : 0) >= f.limit);
    }
  }
  CHECK(stayed >= (BATCHES * f.rows < f.limit ? BATCHES * f.rows : f.limit));
  CHECK(f.count == (BATCHES * f.rows < f.limit ? BATCHES * f.rows : f.limit));
  f.limit = 0;
  CHECK(select(&f) == SPW_BAD_ARGUMENT);
  arena_free(&a);
}
