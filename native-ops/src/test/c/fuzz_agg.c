/*
 * A random aggregation through the life of an operator: tables in tiny pages, so that a page or an
 * index is asked for at every row; partitions spilled and merged into a table of another fan-out;
 * buffers emitted and merged as columns. Verified at random interruptions and after every stage.
 */
#include "fuzz_agg.h"

#define MAX_PAGES 4096
#define MAX_COLUMNS (MAX_KEYS + 3 * MAX_FNS)

typedef struct table {
  arena memory;
  spw_agg block;
  spw_partition partitions[8];
  uint64_t *pages[8];
} table;

typedef struct pages {
  uint64_t *address;
  int count;
} pages;

/* What the levels must agree on, bit by bit: a digest of everything that was emitted. */
static uint64_t digest;
static void digest_bytes(const void *bytes, size_t n) {
  const uint8_t *b = bytes;
  for (size_t i = 0; i < n; i++) digest = (digest ^ b[i]) * UINT64_C(1099511628211);
}

static void table_open(rng *r, table *t, agg_case *c, spw_agg_fn *fns, spw_column *keys, spw_column *inputs,
                       int ninputs) {
  memset(t, 0, sizeof *t);
  const int bits = (int)rng_below(r, 4);
  for (int p = 0; p < 1 << bits; p++) {
    t->pages[p] = arena_take(&t->memory, MAX_PAGES * sizeof(uint64_t));
    t->partitions[p].pages = (uint64_t)(uintptr_t)t->pages[p];
  }
  spw_agg *b = &t->block;
  b->keys = (uint64_t)(uintptr_t)keys;
  b->inputs = (uint64_t)(uintptr_t)inputs;
  b->key_layout = (uint64_t)(uintptr_t)c->layout;
  b->functions = (uint64_t)(uintptr_t)fns;
  b->partitions = (uint64_t)(uintptr_t)t->partitions;
  b->scratch = arena_address(&t->memory, SPW_AGG_SCRATCH);
  b->nkeys = c->nkeys;
  b->ninputs = ninputs;
  b->nfunctions = c->nfns;
  b->row_width = c->row_width;
  b->partition_bits = bits;
  b->hash_shift = (int32_t)rng_below(r, 12);
}

static void give_page(rng *r, table *t, const kernels *k, int p, uint64_t need) {
  spw_partition *partition = &t->partitions[p];
  CHECK(need % 8 == 0 && need >= 256 && need < 1000000);
  const uint64_t capacity = need + (rng_one_in(r, 2) ? 0 : 8 * rng_below(r, 200));
  const uint64_t page = arena_address(&t->memory, capacity);
  CHECK(partition->npages < MAX_PAGES);
  CHECK(k->page_init(page, (uint32_t)capacity) == 0);
  t->pages[p][partition->npages++] = page;
}

static void give_index(table *t, const kernels *k, int p, uint64_t slots) {
  spw_partition *partition = &t->partitions[p];
  CHECK(slots >= 64 && (slots & (slots - 1)) == 0);
  partition->index = arena_address(&t->memory, slots * 8);
  partition->index_slots = slots;
  CHECK(k->index_build(partition, t->block.row_width) == (int64_t)partition->rows);
  CHECK(partition->index_used == partition->rows);
}

static void drop_index(table *t, int p) {
  t->partitions[p].index = 0;
  t->partitions[p].index_slots = 0;
  t->partitions[p].index_used = 0;
}

static void give(rng *r, table *t, const kernels *k, int64_t result) {
  const int p = t->block.need_partition;
  CHECK(p >= 0 && p < 1 << t->block.partition_bits);
  if (result == SPW_NEEDS_PAGE) give_page(r, t, k, p, t->block.need);
  else if (result == SPW_NEEDS_INDEX) give_index(t, k, p, t->block.need);
  else CHECK(!"an unexpected result");
}

/* The partition's pages leave the table. */
static void spill(table *t, int p, pages *out) {
  spw_partition *partition = &t->partitions[p];
  for (uint32_t i = 0; i < partition->npages; i++) out->address[out->count++] = t->pages[p][i];
  partition->npages = 0;
  partition->rows = 0;
  drop_index(t, p);
}

/* ---- emitting ---- */

static int result_columns(const agg_case *c, const spw_agg_fn *fns, int final, spw_column *out) {
  int n = 0;
  memset(out, 0, sizeof(spw_column) * MAX_COLUMNS);
  for (int i = 0; i < c->nkeys; i++) out[n++].type = c->layout[i].type;
  for (int i = 0; i < c->nfns; i++) {
    const int op = fns[i].op;
    const int decimal = op == SPW_SUM_DEC || op == SPW_AVG_DEC;
    const int real = op == SPW_SUM_F64 || op == SPW_AVG_F64 || op == SPW_MOMENTS;
    out[n++].type = decimal                                ? fns[i].out_type
                    : op == SPW_COUNT || op == SPW_SUM_I64 ? SPW_I64
                    : real                                 ? SPW_F64
                                                           : fns[i].type;
    if (final || !agg_has_pair(op)) continue;
    out[n++].type = op == SPW_AVG_F64 || op == SPW_AVG_DEC ? SPW_I64 : op == SPW_MOMENTS ? SPW_F64 : SPW_BOOL;
    if (op == SPW_MOMENTS) out[n++].type = SPW_F64;
  }
  return n;
}

static void allocate_columns(arena *a, spw_column *out, int n, size_t rows) {
  for (int i = 0; i < n; i++) {
    out[i].values = arena_address(a, rows * (size_t)spw_width(out[i].type));
    out[i].nulls = arena_address(a, rows);
  }
}

static int64_t emit_some(const agg_case *c, const kernels *k, uint64_t page, spw_agg_fn *fns, int final,
                         spw_column *out, int32_t *start, int32_t max_rows) {
  spw_emit e = {page,     (uint64_t)(uintptr_t)c->layout, (uint64_t)(uintptr_t)fns, (uint64_t)(uintptr_t)out,
                c->nkeys, c->nfns,                        c->row_width,             final,
                *start,   max_rows};
  const int64_t rows = k->agg_emit(&e);
  CHECK(rows >= 0 && rows <= max_rows);
  *start = e.start_row;
  return rows;
}

static void digest_column(const spw_column *out, int64_t rows) {
  for (int64_t i = 0; i < rows; i++) {
    const uint8_t null = (uint8_t)null_at(out, i);
    digest_bytes(&null, 1);
    if (null) continue;
    if (out->type == SPW_STR) {
      const spw_str s = str_value(value_at(out, i));
      digest_bytes(str_bytes(&s), s.length);
    } else {
      digest_bytes(value_at(out, i), (size_t)spw_width(out->type));
    }
  }
}

static void verify(rng *r, table *t, agg_case *c, const kernels *k, int32_t rows) {
  arena a = {NULL};
  spw_column out[MAX_COLUMNS];
  const int n = result_columns(c, c->fns, 1, out);
  const int32_t max_rows = (int32_t)(1 + rng_below(r, 100));
  allocate_columns(&a, out, n, (size_t)max_rows);
  oracle_advance(c, rows);
  for (int p = 0; p < 1 << t->block.partition_bits; p++) {
    uint64_t live = 0;
    for (uint32_t i = 0; i < t->partitions[p].npages; i++) {
      int32_t start = 0;
      const spw_page *header = spw_at(t->pages[p][i]);
      while (start < (int32_t)header->rows) {
        const int64_t written = emit_some(c, k, t->pages[p][i], c->fns, 1, out, &start, max_rows);
        for (int j = 0; j < n; j++) {
          int any = 0;
          for (int64_t row = 0; row < written; row++) any |= null_at(&out[j], row);
          CHECK(out[j].has_nulls == any);
          digest_column(&out[j], written);
        }
        for (int64_t row = 0; row < written; row++) oracle_check_row(c, out, row);
        live += (uint64_t)written;
      }
    }
    CHECK(live == t->partitions[p].rows);
  }
  oracle_check_complete(c);
  arena_free(&a);
}

/* ---- stages ---- */

static void init_group(rng *r, table *t, const kernels *k) {
  int64_t result;
  int asked = 0;
  while ((result = k->agg_init_group(&t->block)) != 1) {
    CHECK(++asked <= 2);
    give(r, t, k, result);
  }
}

/* Adds all rows in batches; partitions may spill on the way if `out` is given. */
static void add_all(rng *r, table *t, agg_case *c, const kernels *k, int32_t rows, pages *out, int verifying) {
  int64_t done = 0;
  int stuck = 0;
  while (done < rows) {
    t->block.rows = (int32_t)done + (int32_t)rng_below(r, (uint64_t)(rows - done)) + 1;
    if (stuck == 0 && rng_one_in(r, 10)) drop_index(t, (int)rng_below(r, 1u << t->block.partition_bits));
    const int64_t result = k->agg_add(&t->block, done);
    if (result >= 0) {
      CHECK(result == t->block.rows);
      done = result;
      stuck = 0;
      continue;
    }
    CHECK(t->block.rows_done >= done && t->block.rows_done < t->block.rows);
    stuck = t->block.rows_done == done ? stuck + 1 : 0;
    /* An index, a page and, after a spill, both again: nothing more for one row. */
    CHECK(stuck <= 4 && "asks again for what it was given");
    done = t->block.rows_done;
    if (verifying && out->count == 0 && rng_one_in(r, 40)) verify(r, t, c, k, (int32_t)done);
    if (out != NULL && stuck <= 1 && rng_one_in(r, 30)) spill(t, t->block.need_partition, out);
    else give(r, t, k, result);
    if (rng_one_in(r, 50)) arena_check(&t->memory);
  }
}

static void merge_page(rng *r, table *t, const kernels *k, uint64_t page) {
  const spw_page *header = spw_at(page);
  int64_t done = 0;
  int stuck = 0;
  for (;;) {
    const int64_t result = k->agg_merge_page(&t->block, page, done);
    if (result >= 0) {
      CHECK(result == header->rows);
      return;
    }
    CHECK(t->block.rows_done >= done && t->block.rows_done < header->rows);
    stuck = t->block.rows_done == done ? stuck + 1 : 0;
    CHECK(stuck <= 2 && "asks again for what it was given");
    done = t->block.rows_done;
    give(r, t, k, result);
  }
}

/* A damaged page is refused, or is some other sound page: merging it harms nothing. */
static void merge_damaged(rng *r, agg_case *c, const kernels *k, uint64_t page) {
  table t;
  table_open(r, &t, c, c->fns, c->keys, c->inputs, c->nfns);
  const uint32_t capacity = ((const spw_page *)spw_at(page))->capacity;
  uint8_t *copy = arena_take(&t.memory, capacity);
  memcpy(copy, spw_at(page), capacity);
  const uint64_t span = rng_one_in(r, 3) ? 16 : capacity;
  for (int hits = 0; hits < 3; hits++) copy[rng_below(r, span)] ^= (uint8_t)(1 << rng_below(r, 8));
  const int64_t result = k->page_check(&t.block, (uint64_t)(uintptr_t)copy, capacity);
  CHECK(result == 0 || result == SPW_BAD_PAGE);
  if (result == 0) merge_page(r, &t, k, (uint64_t)(uintptr_t)copy);
  arena_free(&t.memory);
}

/* The pages' groups as buffer columns, merged into a new table. */
static void merge_as_columns(rng *r, agg_case *c, const kernels *k, const pages *in) {
  arena a = {NULL};
  table t;
  spw_column out[MAX_COLUMNS], at[MAX_COLUMNS];
  size_t rows = 0, done = 0;
  for (int i = 0; i < in->count; i++) rows += ((const spw_page *)spw_at(in->address[i]))->rows;
  const int n = result_columns(c, c->partial_fns, 0, out);
  allocate_columns(&a, out, n, rows);
  for (int i = 0; i < in->count; i++) {
    int32_t start = 0;
    const int32_t page_rows = (int32_t)((const spw_page *)spw_at(in->address[i]))->rows;
    while (start < page_rows) {
      memcpy(at, out, sizeof at);
      for (int j = 0; j < n; j++) {
        at[j].values += done * (uint64_t)spw_width(at[j].type);
        at[j].nulls += done;
      }
      done += (size_t)emit_some(c, k, in->address[i], c->partial_fns, 0, at, &start, (int32_t)(rows - done) + 1);
    }
  }
  table_open(r, &t, c, c->merge_fns, out, out + c->nkeys, n - c->nkeys);
  t.block.merge = 1;
  if (c->nkeys == 0) init_group(r, &t, k);
  add_all(r, &t, c, k, (int32_t)done, NULL, 0);
  verify(r, &t, c, k, c->rows);
  arena_free(&t.memory);
  arena_free(&a);
}

static void run(rng *r, agg_case *c, const kernels *k) {
  table t, merged;
  arena a = {NULL};
  pages spilled = {arena_take(&a, 8 * MAX_PAGES * sizeof(uint64_t)), 0};
  table_open(r, &t, c, c->fns, c->keys, c->inputs, c->nfns);
  if (c->nkeys == 0) init_group(r, &t, k);
  add_all(r, &t, c, k, c->rows, &spilled, 1);
  if (spilled.count == 0) verify(r, &t, c, k, c->rows);
  for (int p = 0; p < 1 << t.block.partition_bits; p++) spill(&t, p, &spilled);
  table_open(r, &merged, c, c->fns, c->keys, c->inputs, c->nfns);
  if (c->nkeys == 0) init_group(r, &merged, k);
  for (int i = 0; i < spilled.count; i++) {
    const uint64_t page = spilled.address[i];
    CHECK(k->page_check(&merged.block, page, ((const spw_page *)spw_at(page))->capacity) == 0);
    merge_page(r, &merged, k, page);
    if (rng_one_in(r, 20)) merge_damaged(r, c, k, page);
  }
  verify(r, &merged, c, k, c->rows);
  merge_as_columns(r, c, k, &spilled);
  arena_free(&merged.memory);
  arena_free(&t.memory);
  arena_free(&a);
}

/* A block that is wrong in one place is refused before anything is written. */
static void check_refusals(rng *r, agg_case *c, const kernels *k) {
  table t;
  table_open(r, &t, c, c->fns, c->keys, c->inputs, c->nfns);
  t.block.rows = c->rows;
  switch (rng_below(r, 7)) {
    case 0: t.block.nkeys = 33; break;
    case 1: t.block.partition_bits = 7; break;
    case 2: t.block.row_width += 4; break;
    case 3: t.block.scratch = 0; break;
    case 4: t.block.rows = -1; break;
    case 5: t.block.hash_shift = 64; break;
    default: t.block.partitions += 1; break;
  }
  const int64_t result = k->agg_add(&t.block, 0);
  CHECK(result == SPW_BAD_ARGUMENT);
  arena_free(&t.memory);
}

void fuzz_agg(rng *r, const kernels *levels, int nlevels) {
  agg_case c;
  agg_make(r, &c);
  const rng scenario = *r;
  uint64_t first = 0;
  for (int level = 0; level < nlevels; level++) {
    *r = scenario;
    digest = UINT64_C(14695981039346656037);
    /* The oracle starts afresh too: a level verifies at its own interruptions. */
    c.oracle_rows = 0;
    c.ngroups = c.nkeys == 0;
    memset(c.groups, 0, sizeof(group) * MAX_GROUPS);
    run(r, &c, &levels[level]);
    if (level == 0) first = digest;
    CHECK(digest == first && "the levels differ");
  }
  check_refusals(r, &c, &levels[0]);
  arena_free(&c.memory);
}
