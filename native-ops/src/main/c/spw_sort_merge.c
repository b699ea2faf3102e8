/*
 * The merge of sorted runs: a tree of losers, whose leaves are the runs' heads and whose root, tree[0],
 * is the run with the smallest one. Rows are copied with their strings into a page of the caller's.
 */
#include "spw_sort.h"

typedef struct merge {
  spw_sort *block;
  spw_sort_plan plan;
  spw_sort_run *runs;
  spw_i32 *tree;
} merge;

/* How many entries ahead of the head a run's rows are fetched. */
#define AHEAD 2

/* Whether run a comes before run b. One without a head comes last. */
SPW_INLINE int before(const merge *m, int32_t a, int32_t b) {
  const spw_sort_run *x = &m->runs[a], *y = &m->runs[b];
  if (x->row == 0 || y->row == 0) return x->row != 0 || (y->row == 0 && a < b);
  if (x->prefix != y->prefix) return x->prefix < y->prefix;
  const int32_t from = spw_sort_tie_from(&m->plan, x->prefix);
  if (from == m->plan.nkeys) return a < b;
  const int c = SPW_FN(spw_sort_compare)(&m->plan, from, x->row, x->row_page, y->row, y->row_page);
  return c != 0 ? c < 0 : a < b;
}

/* Makes the run's next row its head; 0 if there is none at hand. */
SPW_INLINE int take_head(const merge *m, spw_sort_run *run) {
  if (run->next >= run->count) {
    run->row = 0;
    return 0;
  }
  if (run->entries != 0) {
    const spw_sort_entry *entry = (const spw_sort_entry *)spw_at(run->entries) + run->next;
    const spw_partition *partition = spw_at(m->block->partition);
    const spw_u64 *pages = spw_at(partition->pages);
    run->prefix = entry->prefix;
    run->row_page = pages[entry->handle >> 28];
    run->row = run->row_page + (entry->handle & 0x0fffffff) * 8;
    if (run->next + AHEAD < run->count) {
      const uint64_t ahead = entry[AHEAD].handle;
      __builtin_prefetch(spw_at(pages[ahead >> 28] + (ahead & 0x0fffffff) * 8));
    }
  } else {
    run->row_page = run->page;
    run->row = spw_page_row(run->page, run->next, m->block->row_width);
    run->prefix = spw_row_hash(run->row);
  }
  run->next++;
  return 1;
}

/* A run in pages that is not at its end, but at the end of the page at hand. */
SPW_INLINE int waits_for_page(const spw_sort_run *run) { return run->row == 0 && run->entries == 0 && !run->ended; }

/* Plays a run's new head from its leaf up to the root. */
SPW_INLINE void replay(const merge *m, int32_t run) {
  int32_t winner = run;
  for (int32_t node = (run + m->block->nruns) / 2; node > 0; node /= 2) {
    if (before(m, m->tree[node], winner)) {
      const int32_t loser = winner;
      winner = m->tree[node];
      m->tree[node] = loser;
    }
  }
  m->tree[0] = winner;
}

static int64_t prepare(spw_sort *block, merge *m) {
  const int64_t bad = SPW_FN(spw_sort_prepare)(block, &m->plan);
  if (bad != 0) return bad;
  if (block->nruns < 0 || block->nruns > SPW_SORT_MAX_RUNS ||
      (block->nruns > 0 && (!spw_aligned(block->runs) || block->tree == 0 || !spw_aligned(block->partition)))) {
    return SPW_BAD_ARGUMENT;
  }
  m->block = block;
  m->runs = spw_at(block->runs);
  m->tree = spw_at(block->tree);
  return 0;
}

int64_t SPW_FN(spw_sort_start)(spw_sort *block) {
  merge m;
  const int64_t bad = prepare(block, &m);
  if (bad != 0 || block->nruns == 0) return bad;
  for (int32_t r = 0; r < block->nruns; r++) {
    spw_sort_run *run = &m.runs[r];
    if (run->entries == 0 && run->page == 0 && run->next < run->count) return SPW_BAD_ARGUMENT;
    if (run->row == 0 && !take_head(&m, run) && waits_for_page(run)) {
      block->need_run = r;
      return SPW_NEEDS_PAGE;
    }
  }
  /* Leaf r is node r + nruns. The first to come to an inner node waits there, the second plays. */
  for (int32_t node = 0; node < block->nruns; node++) m.tree[node] = -1;
  for (int32_t r = 0; r < block->nruns; r++) {
    int32_t winner = r, node = (r + block->nruns) / 2;
    for (; node > 0; node /= 2) {
      if (m.tree[node] < 0) {
        m.tree[node] = winner;
        break; /* waits here for the other side */
      }
      if (before(&m, m.tree[node], winner)) {
        const int32_t loser = winner;
        winner = m.tree[node];
        m.tree[node] = loser;
      }
    }
    if (node == 0) m.tree[0] = winner;
  }
  return 0;
}

static uint64_t heap_of(const spw_sort *block, uint64_t row) {
  const spw_i32 *strings = spw_at(block->strings);
  const spw_key *layout = spw_at(block->layout);
  uint64_t bytes = 0;
  for (int32_t s = 0; s < block->nstrings; s++) {
    if (spw_rows_null(row, strings[s])) continue;
    bytes += spw_heap_bytes(spw_string_at(row + (uint64_t)layout[strings[s]].offset));
  }
  return bytes;
}

/* Copies a row to a page in which it fits. */
static void copy_row(const spw_sort *block, uint64_t page, uint64_t row, uint64_t row_page) {
  const uint64_t to = spw_page_add_row(page, block->row_width);
  memcpy(spw_at(to), spw_at(row), (size_t)block->row_width);
  const spw_i32 *strings = spw_at(block->strings);
  const spw_key *layout = spw_at(block->layout);
  for (int32_t s = 0; s < block->nstrings; s++) {
    if (spw_rows_null(row, strings[s])) continue;
    const uint64_t offset = (uint64_t)layout[strings[s]].offset;
    spw_page_put_string(page, to + offset, spw_string_at(row + offset), row_page);
  }
}

/* Moves the winner on, and plays it if that needs no page. */
static void advance(const merge *m, int32_t winner) {
  spw_sort_run *run = &m->runs[winner];
  take_head(m, run);
  if (!waits_for_page(run)) replay(m, winner);
}

/* The run at the root, its head taken if its page has come; NEEDS_PAGE, or -100 at the end. */
#define ALL_ENDED (-100)
static int64_t root(merge *m) {
  spw_sort *block = m->block;
  if (block->nruns == 0) return ALL_ENDED;
  while (1) {
    const int32_t winner = m->tree[0];
    if (winner < 0 || winner >= block->nruns) return SPW_BAD_ARGUMENT;
    spw_sort_run *run = &m->runs[winner];
    if (run->row != 0) return winner;
    if (run->entries != 0) return ALL_ENDED;
    const int had_ended = run->ended && run->next >= run->count;
    if (!had_ended && !take_head(m, run) && !run->ended) {
      block->need_run = winner;
      return SPW_NEEDS_PAGE;
    }
    replay(m, winner);
    if (m->tree[0] == winner && run->row == 0) return ALL_ENDED;
  }
}

int64_t SPW_FN(spw_sort_merge)(spw_sort *block, uint64_t page, uint32_t max_rows) {
  merge m;
  const int64_t bad = prepare(block, &m);
  if (bad != 0) return bad;
  if (!spw_aligned(page)) return SPW_BAD_ARGUMENT;
  const spw_page *header = spw_at(page);
  if (!spw_page_rows_fit(header, block->row_width)) return SPW_BAD_PAGE;
  const uint32_t before_rows = header->rows;
  while (header->rows < max_rows) {
    const int64_t winner = root(&m);
    if (winner == ALL_ENDED) break;
    if (winner < 0) return winner;
    const spw_sort_run *run = &m.runs[winner];
    const uint64_t bytes = (uint64_t)block->row_width + heap_of(block, run->row);
    if (bytes > spw_page_free(page, block->row_width)) {
      if (header->rows > 0) break;
      block->need_run = (int32_t)winner;
      block->need = (sizeof(spw_page) + bytes + 7) & ~UINT64_C(7);
      return SPW_NEEDS_BYTES;
    }
    copy_row(block, page, run->row, run->row_page);
    advance(&m, (int32_t)winner);
  }
  return header->rows - before_rows;
}

int64_t SPW_FN(spw_sort_skip)(spw_sort *block) {
  merge m;
  const int64_t bad = prepare(block, &m);
  if (bad != 0) return bad;
  const int64_t winner = root(&m);
  if (winner == SPW_NEEDS_PAGE) return winner;
  if (winner < 0) return SPW_BAD_ARGUMENT;
  advance(&m, (int32_t)winner);
  return 0;
}
