/* The sort: runs in memory and in pages, merged in steps, against an order that is told by value. */
#include "fuzz_sort.h"

#include <math.h>

#include "fuzz_rows.h"
#include "spw_sort.h"

typedef struct sort_kernels {
  int64_t (*index)(spw_sort *, uint32_t, uint32_t, uint64_t, uint32_t);
  int64_t (*entries)(spw_sort *, uint64_t, uint64_t, uint32_t);
  int64_t (*start)(spw_sort *);
  int64_t (*merge)(spw_sort *, uint64_t, uint32_t);
  int64_t (*skip)(spw_sort *);
} sort_kernels;

#define SPW_SORT_LEVEL(suffix) {spw_sort_index##suffix, spw_sort_entries##suffix, spw_sort_start##suffix, \
                                spw_sort_merge##suffix, spw_sort_skip##suffix},
static const sort_kernels sort_levels[] = {SPW_LEVELS(SPW_SORT_LEVEL)};

/* A run whose rows lie sorted in pages. */
typedef struct paged_run {
  uint64_t pages[800];
  int32_t npages;
  int32_t given;
} paged_run;

typedef struct sort_case {
  rng *r;
  arena *a;
  const sort_kernels *k;
  const rows_kernels *rows;
  row_table t; /* column 0 numbers the rows */
  spw_sort block;
  spw_partition partition;
  spw_sort_key keys[4];
} sort_case;

/* ---- the order, by value ---- */

static int order_f64(double x, double y) {
  if (isnan(x) || isnan(y)) return (isnan(x) != 0) - (isnan(y) != 0);
  return (x > y) - (x < y);
}

int fuzz_order_values(const spw_column *a, int64_t i, const spw_column *b, int64_t j) {
  const void *x = value_at(a, i), *y = value_at(b, j);
#define ORDER(T)                        \
  do {                                  \
    T v, w;                             \
    memcpy(&v, x, sizeof v);            \
    memcpy(&w, y, sizeof w);            \
    return (v > w) - (v < w);           \
  } while (0)
  switch (a->type) {
    case SPW_BOOL: ORDER(uint8_t);
    case SPW_I8: ORDER(int8_t);
    case SPW_I16: ORDER(int16_t);
    case SPW_I32: ORDER(int32_t);
    case SPW_I64: ORDER(int64_t);
    case SPW_I128: ORDER(spw_wide);
    case SPW_F32: {
      float v, w;
      memcpy(&v, x, sizeof v);
      memcpy(&w, y, sizeof w);
      return order_f64((double)v, (double)w);
    }
    case SPW_F64: {
      double v, w;
      memcpy(&v, x, sizeof v);
      memcpy(&w, y, sizeof w);
      return order_f64(v, w);
    }
    default: {
      const spw_str v = str_value(x), w = str_value(y);
      return str_order(&v, &w);
    }
  }
}

static int order_rows(const sort_case *c, int64_t i, int64_t j) {
  for (int32_t k = 0; k < c->block.nkeys; k++) {
    const spw_column *column = &c->t.columns[c->keys[k].column];
    const int x = null_at(column, i), y = null_at(column, j);
    if (x && y) continue;
    if (x != y) return x == c->keys[k].nulls_last ? 1 : -1;
    const int order = fuzz_order_values(column, i, column, j);
    if (order != 0) return c->keys[k].descending ? -order : order;
  }
  return 0;
}

/* ---- the case ---- */

static void make_table(sort_case *c) {
  rng *r = c->r;
  fuzz_rows_layout(r, c->a, &c->t, (int32_t)(1 + rng_below(r, rng_one_in(r, 10) ? 60 : 6)));
  for (int32_t i = 0, offset = c->t.layout[0].offset; i < c->t.ncolumns; i++) {
    if (i == 0) c->t.layout[0].type = SPW_I64;
    c->t.layout[i].offset = offset;
    offset += spw_width(c->t.layout[i].type) == 16 ? 16 : 8;
    c->t.row_width = offset;
  }
  fuzz_rows_columns(r, c->a, &c->t, (int32_t)rng_below(r, 1200) + 1);
  spw_column *ids = &c->t.columns[0];
  memset(ids, 0, sizeof *ids);
  ids->type = SPW_I64;
  ids->values = arena_address(c->a, (size_t)c->t.rows * 8);
  for (int32_t i = 0; i < c->t.rows; i++) ((int64_t *)spw_at(ids->values))[i] = i;
}

static void make_keys(sort_case *c) {
  c->block.nkeys = (int32_t)(1 + rng_below(c->r, 4));
  for (int32_t k = 0; k < c->block.nkeys; k++) {
    spw_sort_key *key = &c->keys[k];
    key->column = (int32_t)rng_below(c->r, (uint64_t)c->t.ncolumns);
    if (key->column == 0 && c->t.ncolumns > 1) key->column = 1;
    key->descending = rng_one_in(c->r, 2);
    key->nulls_last = rng_one_in(c->r, 2);
    key->nullable = rng_one_in(c->r, 2);
    for (int32_t i = 0; i < c->t.rows; i++) key->nullable |= null_at(&c->t.columns[key->column], i);
  }
}

static void append(sort_case *c) {
  spw_rows rows;
  memset(&rows, 0, sizeof rows);
  rows.columns = (uint64_t)(uintptr_t)c->t.columns;
  rows.layout = (uint64_t)(uintptr_t)c->t.layout;
  rows.partitions = (uint64_t)(uintptr_t)&c->partition;
  rows.ncolumns = c->t.ncolumns;
  rows.row_width = c->t.row_width;
  rows.rows = c->t.rows;
  while (c->rows->append(&rows, rows.rows_done) < 0) {
    fuzz_rows_give_page(c->a, &c->partition, (uint32_t)(rows.need + rng_below(c->r, 400) * 8));
  }
}

/* Entries of all rows, in blocks of random sizes, each sorted. */
static int32_t make_runs(sort_case *c, spw_sort_run *runs) {
  int32_t nruns = 0;
  uint32_t page = 0, row = 0;
  while (page < c->partition.npages) {
    const uint32_t room = (uint32_t)(1 + rng_below(c->r, rng_one_in(c->r, 3) ? 20 : 700));
    uint32_t count = 0;
    spw_sort_entry *entries = arena_take(c->a, sizeof(spw_sort_entry) * room);
    while (count < room && page < c->partition.npages) {
      const int64_t made = c->k->index(&c->block, page, row, (uint64_t)(uintptr_t)(entries + count), room - count);
      CHECK(made >= 0 && count + made <= room);
      count += (uint32_t)made;
      row += (uint32_t)made;
      if (row == ((const spw_page *)spw_at(((const uint64_t *)spw_at(c->partition.pages))[page]))->rows) {
        page++;
        row = 0;
      }
    }
    uint64_t scratch = arena_address(c->a, sizeof(spw_sort_entry) * room);
    CHECK(c->k->entries(&c->block, (uint64_t)(uintptr_t)entries, scratch, count) == count);
    CHECK(nruns < 1400);
    memset(&runs[nruns], 0, sizeof runs[nruns]);
    runs[nruns].entries = (uint64_t)(uintptr_t)entries;
    runs[nruns].count = count;
    nruns++;
  }
  return nruns;
}

static uint64_t new_page(sort_case *c, uint32_t capacity) {
  const uint64_t page = arena_address(c->a, capacity);
  CHECK(spw_page_init_baseline(page, capacity) == 0);
  return page;
}

/* One step of the merge: a page with rows, or 0 at the end. */
static uint64_t next_page(sort_case *c, paged_run *const *paged, int *started) {
  uint32_t capacity = (uint32_t)(256 + rng_below(c->r, 300) * 8);
  uint64_t page = new_page(c, capacity);
  while (1) {
    const uint32_t most = rng_one_in(c->r, 4) ? 1 + (uint32_t)rng_below(c->r, 5) : UINT32_MAX;
    const int64_t result = *started ? c->k->merge(&c->block, page, most) : c->k->start(&c->block);
    if (result == SPW_NEEDS_PAGE) {
      spw_sort_run *run = (spw_sort_run *)spw_at(c->block.runs) + c->block.need_run;
      paged_run *source = paged[c->block.need_run];
      CHECK(source != NULL && run->row == 0 && run->next >= run->count);
      if (source->given == source->npages) {
        run->ended = 1;
      } else {
        run->page = source->pages[source->given++];
        run->next = 0;
        run->count = ((const spw_page *)spw_at(run->page))->rows;
      }
    } else if (result == SPW_NEEDS_BYTES) {
      CHECK(c->block.need > capacity && ((const spw_page *)spw_at(page))->rows == 0);
      capacity = (uint32_t)c->block.need; /* exactly enough */
      page = new_page(c, capacity);
    } else if (*started) {
      CHECK(result >= 0);
      return ((const spw_page *)spw_at(page))->rows == 0 ? 0 : page;
    } else {
      CHECK(result == 0);
      *started = 1;
    }
  }
}

/* Some of the runs go to pages, one by one, as a spill writes them. */
static void to_pages(sort_case *c, spw_sort_run *runs, int32_t nruns, paged_run **paged) {
  for (int32_t n = 0; n < nruns; n++) {
    paged[n] = NULL;
    if (!rng_one_in(c->r, 3)) continue;
    paged_run *target = arena_take(c->a, sizeof *target);
    memset(target, 0, sizeof *target);
    int32_t tree[1];
    c->block.runs = (uint64_t)(uintptr_t)&runs[n];
    c->block.tree = (uint64_t)(uintptr_t)tree;
    c->block.nruns = 1;
    int started = 0;
    paged_run *none[1] = {NULL};
    for (uint64_t page = next_page(c, none, &started); page != 0; page = next_page(c, none, &started)) {
      CHECK(target->npages < 800);
      target->pages[target->npages++] = page;
    }
    memset(&runs[n], 0, sizeof runs[n]);
    paged[n] = target;
  }
}

static void check_page(sort_case *c, uint64_t page, int64_t *last, uint8_t *seen) {
  spw_rows check = {0, (uint64_t)(uintptr_t)c->t.layout, 0, 0, 0, c->t.ncolumns, c->t.row_width, 0, 0, 0, 0, 0, 0};
  const spw_page *header = spw_at(page);
  CHECK(c->rows->check(&check, page, header->capacity) == 0);
  const int32_t rows = (int32_t)header->rows;
  spw_column *out = arena_take(c->a, sizeof(spw_column) * (size_t)c->t.ncolumns);
  for (int32_t o = 0; o < c->t.ncolumns; o++) {
    memset(&out[o], 0, sizeof out[o]);
    out[o].type = c->t.layout[o].type;
    out[o].values = arena_address(c->a, (size_t)rows * (size_t)spw_width(out[o].type));
    out[o].nulls = arena_address(c->a, (size_t)rows);
  }
  spw_rows_out gather = {(uint64_t)(uintptr_t)c->t.layout, 0, 0, page, 0, (uint64_t)(uintptr_t)out, c->t.ncolumns,
                         c->t.row_width, 0, c->t.ncolumns, 0, rows};
  CHECK(c->rows->gather(&gather) == rows);
  for (int32_t i = 0; i < rows; i++) {
    const int64_t id = *(const int64_t *)value_at(&out[0], i);
    CHECK(id >= 0 && id < c->t.rows && !seen[id]);
    seen[id] = 1;
    CHECK(*last < 0 || order_rows(c, *last, id) <= 0);
    *last = id;
    for (int32_t o = 0; o < c->t.ncolumns; o++) CHECK(fuzz_rows_same(&c->t.columns[o], id, &out[o], i));
  }
}

/* Everything in order; at times a row is dropped by skip, which then is missing. */
static void merge_all(sort_case *c, paged_run *const *paged) {
  uint8_t *seen = arena_take(c->a, (size_t)c->t.rows);
  memset(seen, 0, (size_t)c->t.rows);
  int64_t last = -1, rows = 0;
  int started = 0;
  for (uint64_t page = next_page(c, paged, &started); page != 0; page = next_page(c, paged, &started)) {
    rows += ((const spw_page *)spw_at(page))->rows;
    check_page(c, page, &last, seen);
    if (rng_one_in(c->r, 10) && rows < c->t.rows && c->k->skip(&c->block) == 0) rows++;
  }
  CHECK(rows == c->t.rows);
  CHECK(c->k->skip(&c->block) == SPW_BAD_ARGUMENT);
}

void fuzz_sort(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  const int level = (int)rng_below(r, (uint64_t)nlevels);
  arena a = {NULL};
  sort_case c;
  memset(&c, 0, sizeof c);
  c.r = r;
  c.a = &a;
  c.k = &sort_levels[level];
  c.rows = fuzz_rows_level(level);
  make_table(&c);
  make_keys(&c);
  int32_t strings[64], nstrings = 0;
  for (int32_t i = 0; i < c.t.ncolumns; i++) {
    if (c.t.layout[i].type == SPW_STR) strings[nstrings++] = i;
  }
  c.block.layout = (uint64_t)(uintptr_t)c.t.layout;
  c.block.keys = (uint64_t)(uintptr_t)c.keys;
  c.block.strings = (uint64_t)(uintptr_t)strings;
  c.block.partition = (uint64_t)(uintptr_t)&c.partition;
  c.block.ncolumns = c.t.ncolumns;
  c.block.row_width = c.t.row_width;
  c.block.nstrings = nstrings;
  append(&c);
  spw_sort_run *runs = arena_take(&a, sizeof(spw_sort_run) * 1400);
  paged_run **paged = arena_take(&a, sizeof(paged_run *) * 1400);
  const int32_t nruns = make_runs(&c, runs);
  to_pages(&c, runs, nruns, paged);
  c.block.runs = (uint64_t)(uintptr_t)runs;
  c.block.tree = arena_address(&a, sizeof(int32_t) * (size_t)nruns);
  c.block.nruns = nruns;
  merge_all(&c, paged);
  arena_free(&a);
}
