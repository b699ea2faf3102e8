/* The row store: random layouts, appended in steps as pages are given, read back in any order. */
#include "fuzz_rows.h"

#define SPW_ROWS_LEVEL(suffix) {spw_rows_append##suffix, spw_rows_gather##suffix, spw_rows_check##suffix, \
                                spw_rows_hash##suffix},
static const rows_kernels rows_levels[] = {SPW_LEVELS(SPW_ROWS_LEVEL)};

const rows_kernels *fuzz_rows_level(int level) { return &rows_levels[level]; }

void fuzz_rows_layout(rng *r, arena *a, row_table *t, int32_t ncolumns) {
  t->ncolumns = ncolumns;
  t->layout = arena_take(a, sizeof(spw_key) * (size_t)(ncolumns + 1));
  int32_t offset = SPW_ROW_HEADER + (ncolumns <= 32 ? 0 : (ncolumns - 32 + 63) / 64 * 8);
  for (int32_t c = 0; c < ncolumns; c++) {
    t->layout[c].type = (int32_t)(1 + rng_below(r, 9));
    t->layout[c].offset = offset;
    offset += spw_width(t->layout[c].type) == 16 ? 16 : 8;
  }
  t->row_width = offset;
}

void fuzz_rows_columns(rng *r, arena *a, row_table *t, int32_t rows) {
  t->rows = rows;
  t->columns = arena_take(a, sizeof(spw_column) * (size_t)(t->ncolumns + 1));
  for (int32_t c = 0; c < t->ncolumns; c++) {
    fuzz_column(r, a, &t->columns[c], t->layout[c].type, rng_one_in(r, 8) ? SPW_CONSTANT : SPW_VECTOR, rows,
                (int)rng_below(r, 4));
  }
}

void fuzz_rows_give_page(arena *a, spw_partition *partition, uint32_t capacity) {
  uint64_t *pages = arena_take(a, sizeof(uint64_t) * ((size_t)partition->npages + 1));
  if (partition->npages > 0) memcpy(pages, spw_at(partition->pages), sizeof(uint64_t) * partition->npages);
  pages[partition->npages] = arena_address(a, capacity);
  CHECK(spw_page_init_baseline(pages[partition->npages], capacity) == 0);
  partition->pages = (uint64_t)(uintptr_t)pages;
  partition->npages++;
}

int fuzz_rows_same(const spw_column *expected, int64_t row, const spw_column *actual, int64_t at) {
  const int null = null_at(expected, row);
  if (null != null_at(actual, at)) return 0;
  if (null) return 1;
  if (expected->type != SPW_STR) {
    return memcmp(value_at(expected, row), value_at(actual, at), (size_t)spw_width(expected->type)) == 0;
  }
  const spw_str x = str_value(value_at(expected, row)), y = str_value(value_at(actual, at));
  return str_order(&x, &y) == 0;
}

/* Where each appended row must have come to lie: rows of one partition keep their order. */
static uint64_t *handles_of(arena *a, const spw_rows *block, const spw_partition *partitions) {
  uint64_t *handles = arena_take(a, sizeof(uint64_t) * (size_t)(block->rows + 1));
  uint32_t page[64] = {0}, row[64] = {0};
  for (int32_t i = 0; i < block->rows; i++) {
    const size_t source = block->selection == 0 ? (size_t)i : (size_t)((const int32_t *)spw_at(block->selection))[i];
    const uint64_t hash = block->hashes == 0 ? 0 : ((const uint64_t *)spw_at(block->hashes))[source];
    const uint32_t p = block->partition_bits == 0
                           ? 0
                           : (uint32_t)(hash << block->hash_shift >> (64 - block->partition_bits));
    const uint64_t *pages = spw_at(partitions[p].pages);
    while (page[p] < partitions[p].npages && row[p] == ((const spw_page *)spw_at(pages[page[p]]))->rows) {
      page[p]++;
      row[p] = 0;
    }
    CHECK(page[p] < partitions[p].npages);
    const uint64_t offset = sizeof(spw_page) + (uint64_t)row[p] * (uint64_t)block->row_width;
    CHECK(spw_row_hash(pages[page[p]] + offset) == hash && spw_row_flags(pages[page[p]] + offset) == 0);
    handles[i] = (uint64_t)p << 48 | (uint64_t)page[p] << 28 | offset / 8;
    row[p]++;
  }
  for (int32_t p = 0; p < 1 << block->partition_bits; p++) {
    uint64_t rows = 0;
    for (uint32_t n = 0; n < partitions[p].npages; n++) {
      rows += ((const spw_page *)spw_at(((const uint64_t *)spw_at(partitions[p].pages))[n]))->rows;
    }
    CHECK(rows == partitions[p].rows);
  }
  return handles;
}

static spw_column *out_columns(arena *a, const row_table *t, const int32_t *picks, int32_t nout, int32_t rows) {
  spw_column *out = arena_take(a, sizeof(spw_column) * (size_t)(nout + 1));
  for (int32_t o = 0; o < nout; o++) {
    memset(&out[o], 0, sizeof out[o]);
    out[o].type = t->layout[picks == NULL ? o : picks[o]].type;
    out[o].values = arena_address(a, (size_t)rows * (size_t)spw_width(out[o].type));
    out[o].nulls = arena_address(a, (size_t)rows);
  }
  return out;
}

/* Rows in any order and any number, some of them absent, of some of the columns. */
static void gather_any(rng *r, arena *a, const rows_kernels *k, const row_table *t, const spw_rows *block,
                       const uint64_t *handles) {
  const int32_t rows = (int32_t)rng_below(r, 600), nout = (int32_t)rng_below(r, (uint64_t)t->ncolumns + 1);
  uint64_t *wanted = arena_take(a, sizeof(uint64_t) * (size_t)(rows + 1));
  int32_t *which = arena_take(a, sizeof(int32_t) * (size_t)(rows + 1));
  const int absent = rng_one_in(r, 2);
  for (int32_t i = 0; i < rows; i++) {
    which[i] = block->rows == 0 || (absent && rng_one_in(r, 5)) ? -1 : (int32_t)rng_below(r, (uint64_t)block->rows);
    wanted[i] = which[i] < 0 ? 0 : handles[which[i]];
  }
  int32_t *picks = arena_take(a, sizeof(int32_t) * (size_t)(nout + 1));
  const int all = rng_one_in(r, 2);
  for (int32_t o = 0; o < nout; o++) picks[o] = all ? o : (int32_t)rng_below(r, (uint64_t)t->ncolumns);
  spw_column *out = out_columns(a, t, picks, nout, rows);
  spw_rows_out gather = {(uint64_t)(uintptr_t)t->layout, block->partitions, (uint64_t)(uintptr_t)wanted, 0,
                         all ? 0 : (uint64_t)(uintptr_t)picks, (uint64_t)(uintptr_t)out, t->ncolumns, t->row_width,
                         1 << block->partition_bits, nout, 0, rows};
  CHECK(k->gather(&gather) == rows);
  for (int32_t o = 0; o < nout; o++) {
    int any = 0;
    for (int32_t i = 0; i < rows; i++) {
      any |= null_at(&out[o], i);
      if (which[i] < 0) {
        CHECK(null_at(&out[o], i));
        continue;
      }
      const int64_t source = block->selection == 0 ? which[i] : ((const int32_t *)spw_at(block->selection))[which[i]];
      CHECK(fuzz_rows_same(&t->columns[picks[o]], source, &out[o], i));
    }
    CHECK(out[o].has_nulls == any);
  }
  if (rows > 0 && which[0] >= 0) {
    wanted[0] |= UINT64_C(0xfff00) << 28; /* a page that is not there */
    CHECK(k->gather(&gather) == SPW_BAD_ARGUMENT);
  }
}

/* The rows of one page, from one on. */
static void gather_page(rng *r, arena *a, const rows_kernels *k, const row_table *t, const spw_rows *block) {
  const spw_partition *partition =
      (const spw_partition *)spw_at(block->partitions) + rng_below(r, UINT64_C(1) << block->partition_bits);
  if (partition->npages == 0) return;
  const uint64_t number = rng_below(r, partition->npages), page = ((const uint64_t *)spw_at(partition->pages))[number];
  const int32_t there = (int32_t)((const spw_page *)spw_at(page))->rows;
  const int32_t first = (int32_t)rng_below(r, (uint64_t)there + 1);
  const int32_t rows = (int32_t)rng_below(r, (uint64_t)(there - first) + 1);
  spw_column *by_page = out_columns(a, t, NULL, t->ncolumns, rows);
  spw_column *by_handle = out_columns(a, t, NULL, t->ncolumns, rows);
  spw_rows_out gather = {(uint64_t)(uintptr_t)t->layout, 0, 0, page, 0, (uint64_t)(uintptr_t)by_page, t->ncolumns,
                         t->row_width, 0, t->ncolumns, first, rows};
  CHECK(k->gather(&gather) == rows);
  uint64_t *handles = arena_take(a, sizeof(uint64_t) * (size_t)(rows + 1));
  for (int32_t i = 0; i < rows; i++) {
    handles[i] = (uint64_t)(partition - (const spw_partition *)spw_at(block->partitions)) << 48 | number << 28 |
                 (sizeof(spw_page) + (uint64_t)(first + i) * (uint64_t)t->row_width) / 8;
  }
  spw_rows_out same = {(uint64_t)(uintptr_t)t->layout, block->partitions, (uint64_t)(uintptr_t)handles, 0, 0,
                       (uint64_t)(uintptr_t)by_handle, t->ncolumns, t->row_width, 1 << block->partition_bits,
                       t->ncolumns, 0, rows};
  CHECK(k->gather(&same) == rows);
  for (int32_t c = 0; c < t->ncolumns; c++) {
    for (int32_t i = 0; i < rows; i++) CHECK(fuzz_rows_same(&by_page[c], i, &by_handle[c], i));
  }
  gather.rows = there - first + 1;
  CHECK(k->gather(&gather) == SPW_BAD_ARGUMENT);
}

/* A sound page passes; a damaged one is refused, or no string of it lies outside. */
static void check_pages(rng *r, arena *a, const rows_kernels *k, const row_table *t, spw_rows *block) {
  const spw_partition *partitions = spw_at(block->partitions);
  for (int32_t p = 0; p < 1 << block->partition_bits; p++) {
    for (uint32_t n = 0; n < partitions[p].npages; n++) {
      const uint64_t page = ((const uint64_t *)spw_at(partitions[p].pages))[n];
      const uint32_t capacity = ((const spw_page *)spw_at(page))->capacity;
      CHECK(k->check(block, page, capacity) == 0);
      CHECK(k->check(block, page, capacity - 8) == SPW_BAD_PAGE);
      uint8_t *copy = arena_take(a, capacity);
      memcpy(copy, spw_at(page), capacity);
      for (int hits = 0; hits < 3; hits++) {
        const uint64_t end = rng_one_in(r, 2) ? 16 : capacity;
        copy[rng_below(r, end)] ^= (uint8_t)(1 << rng_below(r, 8));
      }
      if (k->check(block, (uint64_t)(uintptr_t)copy, capacity) != 0) continue;
      const spw_page *header = (const spw_page *)(void *)copy;
      for (uint32_t i = 0; i < header->rows; i++) {
        const uint64_t row = spw_page_row((uint64_t)(uintptr_t)copy, i, t->row_width);
        for (int32_t c = 0; c < t->ncolumns; c++) {
          if (t->layout[c].type != SPW_STR || spw_rows_null(row, c)) continue;
          const spw_string s = spw_page_string((uint64_t)(uintptr_t)copy, row + (uint64_t)t->layout[c].offset);
          const uint8_t *bytes = spw_bytes(&s, 0);
          if (s.length > 12) {
            CHECK(bytes >= copy && bytes + s.length <= copy + capacity);
          }
        }
      }
    }
  }
}

/* The hash of key columns is the aggregation's, which depends on the values and on nothing else. */
static void hashes(rng *r, arena *a, const rows_kernels *k, const rows_kernels *other, const row_table *t) {
  const int32_t rows = t->rows;
  uint64_t *x = arena_take(a, sizeof(uint64_t) * (size_t)(rows + 1));
  uint64_t *y = arena_take(a, sizeof(uint64_t) * (size_t)(rows + 1));
  uint8_t *nulls = arena_take(a, (size_t)rows);
  const uint64_t columns = (uint64_t)(uintptr_t)t->columns;
  CHECK(k->hash(columns, t->ncolumns, rows, (uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)nulls) == rows);
  CHECK(other->hash(columns, t->ncolumns, rows, (uint64_t)(uintptr_t)y, 0) == rows);
  for (int32_t i = 0; i < rows; i++) {
    int any = 0;
    for (int32_t c = 0; c < t->ncolumns; c++) any |= null_at(&t->columns[c], i);
    CHECK(x[i] == y[i] && nulls[i] == any);
  }
  const int64_t i = (int64_t)rng_below(r, (uint64_t)rows), j = (int64_t)rng_below(r, (uint64_t)rows);
  int same = 1;
  for (int32_t c = 0; c < t->ncolumns && same; c++) same = fuzz_rows_same(&t->columns[c], i, &t->columns[c], j);
  CHECK(!same || x[i] == x[j]);
}

void fuzz_rows(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  const int level = (int)rng_below(r, (uint64_t)nlevels);
  const rows_kernels *k = fuzz_rows_level(level);
  arena a = {NULL};
  row_table t;
  fuzz_rows_layout(r, &a, &t, (int32_t)(rng_one_in(r, 6) ? rng_below(r, 150) : 1 + rng_below(r, 10)));
  fuzz_rows_columns(r, &a, &t, (int32_t)(1 + rng_below(r, 700)));
  spw_rows block;
  memset(&block, 0, sizeof block);
  block.columns = (uint64_t)(uintptr_t)t.columns;
  block.layout = (uint64_t)(uintptr_t)t.layout;
  block.ncolumns = t.ncolumns;
  block.row_width = t.row_width;
  block.partition_bits = (int32_t)rng_below(r, 4);
  block.hash_shift = (int32_t)rng_below(r, 20);
  block.rows = t.rows;
  if (rng_one_in(r, 3)) {
    block.rows = (int32_t)rng_below(r, (uint64_t)t.rows * 2);
    int32_t *selection = arena_take(&a, sizeof(int32_t) * (size_t)(block.rows + 1));
    for (int32_t i = 0; i < block.rows; i++) selection[i] = (int32_t)rng_below(r, (uint64_t)t.rows);
    block.selection = (uint64_t)(uintptr_t)selection;
  }
  if (!rng_one_in(r, 4)) {
    uint64_t *hash = arena_take(&a, sizeof(uint64_t) * (size_t)t.rows);
    for (int32_t i = 0; i < t.rows; i++) hash[i] = rng_next(r);
    block.hashes = (uint64_t)(uintptr_t)hash;
  }
  const size_t structs = sizeof(spw_partition) << block.partition_bits;
  spw_partition *partitions = arena_take(&a, structs);
  memset(partitions, 0, structs);
  block.partitions = (uint64_t)(uintptr_t)partitions;
  for (int64_t done = 0;;) {
    const int64_t result = k->append(&block, done);
    CHECK(block.rows_done >= done);
    if (result == block.rows) break;
    CHECK(result == SPW_NEEDS_PAGE && block.need % 8 == 0 && block.need >= 256);
    done = block.rows_done;
    const uint32_t capacity = (uint32_t)(block.need + (rng_one_in(r, 2) ? 0 : rng_below(r, 500) * 8));
    fuzz_rows_give_page(&a, &partitions[block.need_partition], capacity);
  }
  const uint64_t *handles = handles_of(&a, &block, partitions);
  gather_any(r, &a, k, &t, &block, handles);
  gather_page(r, &a, k, &t, &block);
  check_pages(r, &a, k, &t, &block);
  hashes(r, &a, k, fuzz_rows_level((int)rng_below(r, (uint64_t)nlevels)), &t);
  CHECK(k->append(&block, block.rows + 1) == SPW_BAD_ARGUMENT);
  arena_free(&a);
}
