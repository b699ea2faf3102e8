/*
 * Hash joins: random keys on both sides, stored in tiny pages, looked up with little room for pairs,
 * indexes dropped on the way, partitions absent. Which rows match is known from the keys alone.
 */
#include "fuzz_join.h"

#include "fuzz_rows.h"
#include "spw_join.h"

typedef struct join_kernels {
  int64_t (*spread)(uint64_t, int32_t, uint64_t, uint64_t);
  int64_t (*having)(uint64_t, int32_t, int32_t, uint64_t);
  int64_t (*index)(spw_join *, int32_t, int32_t);
  int64_t (*probe)(spw_join *);
  int64_t (*mark)(spw_join *, uint64_t, int32_t, int32_t);
  int64_t (*unmatched)(spw_join *, int32_t, int32_t, int32_t);
  int64_t (*keep)(uint64_t, int32_t, int32_t, uint64_t, uint64_t, uint64_t);
} join_kernels;
#define SPW_JOIN_LEVEL(suffix)                                                                     \
  {spw_join_spread##suffix, spw_join_having##suffix, spw_join_index##suffix, spw_join_probe##suffix, \
   spw_join_mark##suffix,   spw_join_unmatched##suffix, spw_join_keep##suffix},
static const join_kernels join_levels[] = {SPW_LEVELS(SPW_JOIN_LEVEL)};

#define MAX_KEYS 3
#define MAX_ROWS 250
#define MAX_POOL 40
#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/* Rows of one side: each has the keys of a row of the pool. */
typedef struct side {
  int32_t rows;
  int32_t of[MAX_ROWS]; /* the pool's row */
  spw_column *keys;
  uint64_t *hashes;
  uint8_t *keyless;
} side;

typedef struct join_case {
  arena memory;
  int32_t nkeys;
  int32_t pool_rows;
  spw_column pool[MAX_KEYS];
  int32_t class_of[MAX_POOL]; /* rows of the pool with equal keys have the same; -1: a key is null */
  spw_key *layout;            /* keys, link, number */
  int32_t row_width;
  side build, probe;
} join_case;

static void pool_make(rng *r, join_case *c) {
  static const int32_t types[] = {SPW_I64, SPW_I32, SPW_STR, SPW_BOOL, SPW_I128, SPW_F64, SPW_I8, SPW_F32, SPW_I16};
  c->nkeys = (int32_t)(1 + rng_below(r, MAX_KEYS));
  c->pool_rows = (int32_t)(1 + rng_below(r, MAX_POOL));
  for (int32_t k = 0; k < c->nkeys; k++) {
    fuzz_column(r, &c->memory, &c->pool[k], types[rng_below(r, 9)], SPW_VECTOR, c->pool_rows,
                rng_one_in(r, 3) ? NULLS_SOME : NULLS_ABSENT);
  }
  for (int32_t i = 0; i < c->pool_rows; i++) {
    c->class_of[i] = i;
    for (int32_t j = i; j >= 0; j--) {
      int same = 1;
      for (int32_t k = 0; k < c->nkeys; k++) same &= fuzz_rows_same(&c->pool[k], i, &c->pool[k], j);
      if (same) c->class_of[i] = j;
    }
    for (int32_t k = 0; k < c->nkeys; k++) {
      if (null_at(&c->pool[k], i)) c->class_of[i] = -1;
    }
  }
}

static void side_make(rng *r, join_case *c, side *s) {
  s->rows = (int32_t)rng_below(r, MAX_ROWS);
  const int skewed = rng_one_in(r, 3);
  for (int32_t i = 0; i < s->rows; i++) {
    s->of[i] = skewed && rng_one_in(r, 2) ? 0 : (int32_t)rng_below(r, (uint64_t)c->pool_rows);
  }
  s->keys = arena_take(&c->memory, sizeof(spw_column) * MAX_KEYS);
  for (int32_t k = 0; k < c->nkeys; k++) {
    const spw_column *from = &c->pool[k];
    const size_t width = (size_t)spw_width(from->type);
    s->keys[k] = *from;
    s->keys[k].values = arena_address(&c->memory, (size_t)s->rows * width);
    s->keys[k].nulls = from->nulls == 0 ? 0 : arena_address(&c->memory, (size_t)s->rows);
    for (int32_t i = 0; i < s->rows; i++) {
      memcpy((uint8_t *)spw_at(s->keys[k].values) + (size_t)i * width, value_at(from, s->of[i]), width);
      if (from->nulls != 0) ((uint8_t *)spw_at(s->keys[k].nulls))[i] = (uint8_t)null_at(from, s->of[i]);
    }
  }
  s->hashes = arena_take(&c->memory, sizeof(uint64_t) * MAX_ROWS);
  s->keyless = arena_take(&c->memory, MAX_ROWS);
}

static void hash_side(rng *r, const join_case *c, side *s, const rows_kernels *rows, const join_kernels *k) {
  CHECK(rows->hash(ADDRESS(s->keys), c->nkeys, s->rows, ADDRESS(s->hashes), ADDRESS(s->keyless)) == s->rows);
  int32_t keyless = 0, keyed[MAX_ROWS];
  uint64_t before[MAX_ROWS];
  memcpy(before, s->hashes, sizeof before);
  for (int32_t i = 0; i < s->rows; i++) {
    CHECK(s->keyless[i] == (c->class_of[s->of[i]] < 0));
    keyless += s->keyless[i];
  }
  CHECK(k->having(ADDRESS(s->keyless), s->rows, 1, ADDRESS(keyed)) == s->rows - keyless);
  for (int32_t i = 0, n = 0; i < s->rows; i++) {
    if (!s->keyless[i]) CHECK(keyed[n++] == i);
  }
  if (rng_one_in(r, 2)) {
    CHECK(k->spread(ADDRESS(s->keyless), s->rows, ADDRESS(s->hashes), rng_next(r)) == keyless);
    for (int32_t i = 0; i < s->rows; i++) CHECK(s->keyless[i] || s->hashes[i] == before[i]);
  }
}

/* ---- the build side in pages ---- */

static void store(rng *r, join_case *c, arena *a, spw_partition *partitions, int32_t bits, int32_t shift,
                  const rows_kernels *rows) {
  spw_column *columns = arena_take(a, sizeof(spw_column) * (MAX_KEYS + 2));
  memcpy(columns, c->build.keys, sizeof(spw_column) * (size_t)c->nkeys);
  uint64_t *none = arena_take(a, 8), *numbers = arena_take(a, sizeof(uint64_t) * MAX_ROWS);
  *none = 0;
  for (int32_t i = 0; i < c->build.rows; i++) numbers[i] = (uint64_t)i;
  columns[c->nkeys] = (spw_column){ADDRESS(none), 0, SPW_I64, SPW_CONSTANT, 0, 0};
  columns[c->nkeys + 1] = (spw_column){ADDRESS(numbers), 0, SPW_I64, SPW_VECTOR, 0, 0};
  spw_rows block = {ADDRESS(columns), ADDRESS(c->layout), ADDRESS(partitions), 0, ADDRESS(c->build.hashes),
                    c->nkeys + 2,     c->row_width,       bits,                shift, c->build.rows,
                    0,                0,                  0};
  int64_t done = 0;
  while ((done = rows->append(&block, done)) != c->build.rows) {
    CHECK(done == SPW_NEEDS_PAGE);
    const uint64_t extra = rng_one_in(r, 2) ? 0 : 8 * rng_below(r, 100);
    fuzz_rows_give_page(a, &partitions[block.need_partition], (uint32_t)(block.need + extra));
    done = block.rows_done;
  }
}

static void give_index(rng *r, join_case *c, arena *a, spw_join *block, int32_t p, const join_kernels *k) {
  spw_partition *partition = (spw_partition *)spw_at(block->partitions) + p;
  uint64_t slots = rng_one_in(r, 3) ? 2 : spw_index_slots_for(partition->rows);
  for (;;) {
    partition->index = arena_address(a, slots * 8);
    partition->index_slots = slots;
    partition->index_used = 0;
    memset(spw_at(partition->index), 0, slots * 8);
    int64_t entered = 0, keyed = 0;
    for (uint32_t page = 0; page < partition->npages && entered >= 0; page++) {
      const int64_t result = k->index(block, p, (int32_t)page);
      entered = result < 0 ? result : entered + result;
    }
    if (entered == SPW_NEEDS_INDEX) {
      CHECK(block->need_partition == p && block->need == slots * 2);
      slots *= 2;
      continue;
    }
    for (uint32_t page = 0; page < partition->npages; page++) {
      const uint64_t at = ((const uint64_t *)spw_at(partition->pages))[page];
      for (uint32_t i = 0; i < ((const spw_page *)spw_at(at))->rows; i++) {
        const uint64_t row = spw_page_row(at, i, c->row_width);
        const uint64_t number = *(const spw_u64 *)spw_at(row + (uint64_t)c->layout[c->nkeys + 1].offset);
        keyed += c->class_of[c->build.of[number]] >= 0;
      }
    }
    CHECK(entered == keyed && partition->index_used <= (uint64_t)keyed);
    return;
  }
}

static int32_t build_number(const join_case *c, const spw_join *block, uint64_t handle) {
  const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + (handle >> 48);
  const uint64_t row = spw_slot_row(partition, handle);
  return (int32_t) * (const spw_u64 *)spw_at(row + (uint64_t)c->layout[c->nkeys + 1].offset);
}

static int32_t partition_of(const spw_join *block, uint64_t hash) {
  return block->partition_bits == 0 ? 0 : (int32_t)(hash << block->hash_shift >> (64 - block->partition_bits));
}

static int matches(const join_case *c, int32_t probe, int32_t build) {
  const int32_t x = c->class_of[c->probe.of[probe]];
  return x >= 0 && x == c->class_of[c->build.of[build]];
}

/* ---- probing ---- */

typedef struct found {
  uint8_t pairs[MAX_ROWS][MAX_ROWS]; /* how often each pair came */
  uint8_t marked_builds[MAX_ROWS];
} found;

/* Checks the pairs of a call; in some modes drops part of them. */
static void take_pairs(rng *r, join_case *c, spw_join *block, const join_kernels *k, found *f, int marking) {
  const int32_t n = block->npairs;
  const int32_t *rows = spw_at(block->pair_rows);
  const uint64_t *builds = spw_at(block->pair_builds);
  CHECK(n >= 0 && n <= block->max_pairs);
  for (int32_t i = 0; i < n; i++) {
    const int32_t build = build_number(c, block, builds[i]);
    CHECK(rows[i] >= 0 && rows[i] < block->rows && build >= 0 && build < c->build.rows);
    CHECK(matches(c, rows[i], build));
    CHECK(f->pairs[rows[i]][build]++ == 0 && "a pair comes twice");
  }
  if (!marking || n == 0) return;
  int32_t selection[64], kept = 0, kept_rows[64], kept_builds[64];
  for (int32_t i = 0; i < n; i++) {
    if (rng_one_in(r, 3)) continue;
    selection[kept] = i;
    kept_rows[kept] = rows[i];
    kept_builds[kept++] = build_number(c, block, builds[i]);
  }
  const int all = rng_one_in(r, 4), marks = rng_one_in(r, 2);
  if (all) kept = n;
  CHECK(k->mark(block, all ? 0 : ADDRESS(selection), kept, marks) == kept && block->npairs == kept);
  const uint8_t *states = spw_at(block->states);
  for (int32_t i = 0; i < kept; i++) {
    if (!all) CHECK(rows[i] == kept_rows[i] && build_number(c, block, builds[i]) == kept_builds[i]);
    CHECK(states[rows[i]] == SPW_JOIN_MATCHED);
    if (marks) f->marked_builds[build_number(c, block, builds[i])] = 1;
  }
}

static void verify_probe(const join_case *c, const spw_join *block, const found *f, const uint8_t *before, int marking) {
  const uint8_t *states = spw_at(block->states);
  const int32_t *deferred = spw_at(block->deferred);
  int32_t expected_deferred = 0;
  for (int32_t i = 0; i < c->probe.rows; i++) {
    const int skipped = block->mode != SPW_JOIN_ALL && before[i] != 0;
    const int absent = !skipped && !c->probe.keyless[i] &&
                       (block->absent >> partition_of(block, c->probe.hashes[i]) & 1) != 0;
    if (absent) {
      CHECK(expected_deferred < block->ndeferred && deferred[expected_deferred] == i);
      CHECK(states[i] == SPW_JOIN_DEFERRED);
      expected_deferred++;
    }
    int32_t all = 0, came = 0;
    for (int32_t b = 0; b < c->build.rows; b++) {
      all += matches(c, i, b);
      came += f->pairs[i][b];
    }
    if (skipped || absent) {
      CHECK(came == 0 && (absent || states[i] == before[i]));
    } else if (block->mode == SPW_JOIN_FIRST) {
      CHECK(came == 0 && states[i] == (all > 0 ? SPW_JOIN_MATCHED : SPW_JOIN_UNMATCHED));
    } else if (block->mode == SPW_JOIN_ALL) {
      CHECK(came == all);
    } else {
      CHECK(came <= all && (came == all || states[i] == SPW_JOIN_MATCHED));
    }
    if (!marking && !absent && block->mode != SPW_JOIN_FIRST) CHECK(states[i] == before[i]);
  }
  CHECK(block->ndeferred == expected_deferred);
}

static void probe_all(rng *r, join_case *c, arena *a, spw_join *block, const join_kernels *k, found *f) {
  const int marking = rng_one_in(r, 2);
  uint8_t before[MAX_ROWS];
  uint8_t *states = spw_at(block->states);
  for (int32_t i = 0; i < c->probe.rows; i++) before[i] = states[i] = rng_one_in(r, 6);
  block->rows = c->probe.rows;
  block->row = 0;
  block->chain = 0;
  block->ndeferred = 0;
  int stuck = 0;
  for (;;) {
    const int32_t row = block->row;
    const uint64_t chain = block->chain;
    const int64_t result = k->probe(block);
    take_pairs(r, c, block, k, f, marking);
    if (result == SPW_NEEDS_INDEX) {
      CHECK(block->need_partition >= 0 && block->chain == 0);
      give_index(r, c, a, block, block->need_partition, k);
    } else {
      CHECK(result >= 0);
      if (block->row == block->rows) break;
    }
    stuck = block->row == row && block->chain == chain ? stuck + 1 : 0;
    CHECK(stuck <= 1 && "asks again for what it was given");
    if (rng_one_in(r, 10)) { /* an index may go at any time */
      spw_partition *partition = (spw_partition *)spw_at(block->partitions) +
                                 rng_below(r, UINT64_C(1) << block->partition_bits);
      partition->index = 0;
      partition->index_slots = 0;
      stuck = 0;
    }
  }
  verify_probe(c, block, f, before, marking);
}

/* Every build row that is not marked comes once, and none afterwards. */
static void unmatched(join_case *c, spw_join *block, const join_kernels *k, const found *f) {
  uint8_t came[MAX_ROWS] = {0};
  const uint64_t *builds = spw_at(block->pair_builds);
  for (int round = 0; round < 2; round++) {
    for (int32_t p = 0; p < 1 << block->partition_bits; p++) {
      const spw_partition *partition = (const spw_partition *)spw_at(block->partitions) + p;
      for (uint32_t page = 0; page < partition->npages; page++) {
        const spw_page *header = spw_at(((const uint64_t *)spw_at(partition->pages))[page]);
        for (int32_t row = 0; row < (int32_t)header->rows; row = block->row) {
          const int64_t n = k->unmatched(block, p, (int32_t)page, row);
          CHECK(n == block->npairs && n <= block->max_pairs && block->row > row && (round == 0 || n == 0));
          for (int64_t i = 0; i < n; i++) CHECK(came[build_number(c, block, builds[i])]++ == 0);
        }
        CHECK(k->unmatched(block, p, (int32_t)page, (int32_t)header->rows + 1) == SPW_BAD_ARGUMENT);
      }
    }
  }
  for (int32_t b = 0; b < c->build.rows; b++) CHECK(came[b] == !f->marked_builds[b]);
}

static void run(rng *r, join_case *c, const rows_kernels *rows, const join_kernels *k) {
  arena a = {NULL};
  found *f = arena_take(&a, sizeof(found));
  memset(f, 0, sizeof *f);
  hash_side(r, c, &c->build, rows, k);
  hash_side(r, c, &c->probe, rows, k);
  const int32_t bits = (int32_t)rng_below(r, 4), shift = (int32_t)rng_below(r, 12);
  spw_partition *partitions = arena_take(&a, sizeof(spw_partition) << bits);
  memset(partitions, 0, sizeof(spw_partition) << bits);
  store(r, c, &a, partitions, bits, shift, rows);
  const int32_t max_pairs = (int32_t)(1 + rng_below(r, 64));
  spw_join block = {.keys = ADDRESS(c->probe.keys),
                    .hashes = ADDRESS(c->probe.hashes),
                    .keyless = ADDRESS(c->probe.keyless),
                    .key_layout = ADDRESS(c->layout),
                    .partitions = ADDRESS(partitions),
                    .absent = rng_one_in(r, 2) ? 0 : rng_below(r, UINT64_C(1) << (1 << bits)),
                    .states = arena_address(&a, (size_t)c->probe.rows),
                    .deferred = arena_address(&a, sizeof(int32_t) * (size_t)c->probe.rows),
                    .pair_rows = arena_address(&a, sizeof(int32_t) * (size_t)max_pairs),
                    .pair_builds = arena_address(&a, sizeof(uint64_t) * (size_t)max_pairs),
                    .nkeys = c->nkeys,
                    .row_width = c->row_width,
                    .link_offset = c->layout[c->nkeys].offset,
                    .partition_bits = bits,
                    .hash_shift = shift,
                    .mode = (int32_t)rng_below(r, 3),
                    .max_pairs = max_pairs};
  probe_all(r, c, &a, &block, k, f);
  unmatched(c, &block, k, f);
  block.max_pairs = 0;
  CHECK(k->probe(&block) == SPW_BAD_ARGUMENT);
  arena_free(&a);
}

/* Strings are copied row by row as long as there is room, and are the same afterwards. */
static void keep_strings(rng *r, const join_kernels *k) {
  arena a = {NULL};
  spw_column columns[3], copies[3];
  const int32_t rows = (int32_t)(1 + rng_below(r, 60));
  for (int c = 0; c < 3; c++) {
    fuzz_column(r, &a, &columns[c], c == 1 ? SPW_I64 : SPW_STR, SPW_VECTOR, rows, (int)rng_below(r, 4));
    copies[c] = columns[c];
    copies[c].values = arena_address(&a, (size_t)rows * (size_t)spw_width(columns[c].type));
    memcpy(spw_at(copies[c].values), spw_at(columns[c].values), (size_t)rows * (size_t)spw_width(columns[c].type));
  }
  const uint64_t capacity = rng_below(r, 1500);
  uint8_t *text = arena_take(&a, capacity);
  uint64_t *need = arena_take(&a, 8);
  const int64_t kept = k->keep(ADDRESS(copies), 3, rows, ADDRESS(text), capacity, ADDRESS(need));
  CHECK(kept >= 0 && kept <= rows && (kept == rows) == (*need == 0));
  uint64_t used = 0;
  for (int64_t i = 0; i < rows; i++) {
    uint64_t bytes = 0;
    for (int c = 0; c < 3; c += 2) {
      if (null_at(&columns[c], i)) continue;
      const spw_str before = str_value(value_at(&columns[c], i)), after = str_value(value_at(&copies[c], i));
      if (before.length > 12) bytes += before.length;
      CHECK(str_order(&before, &after) == 0);
      if (before.length <= 12) continue;
      const int inside = str_bytes(&after) >= text && str_bytes(&after) + after.length <= text + capacity;
      CHECK(i < kept ? inside : after.tail.address == before.tail.address);
    }
    if (i == kept) CHECK(bytes == *need && used + bytes > capacity);
    if (i < kept) used += bytes;
  }
  arena_free(&a);
}

void fuzz_join(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  join_case c;
  memset(&c, 0, sizeof c);
  pool_make(r, &c);
  side_make(r, &c, &c.build);
  side_make(r, &c, &c.probe);
  c.layout = arena_take(&c.memory, sizeof(spw_key) * (MAX_KEYS + 2));
  int32_t offset = SPW_ROW_HEADER;
  for (int32_t i = 0; i < c.nkeys + 2; i++) {
    c.layout[i] = (spw_key){i < c.nkeys ? c.pool[i].type : SPW_I64, offset};
    offset += spw_width(c.layout[i].type) == 16 ? 16 : 8;
  }
  c.row_width = offset;
  const rng scenario = *r;
  for (int level = 0; level < nlevels; level++) {
    *r = scenario;
    run(r, &c, fuzz_rows_level(level), &join_levels[level]);
    keep_strings(r, &join_levels[level]);
  }
  arena_free(&c.memory);
}
