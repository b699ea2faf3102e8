/* The index: prefixes of rows, and sorting them. */
#include "spw_sort.h"

static int64_t check_keys(const spw_sort *block) {
  const spw_sort_key *keys = spw_at(block->keys);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].column < 0 || keys[k].column >= block->ncolumns) return SPW_BAD_ARGUMENT;
  }
  const spw_key *layout = spw_at(block->layout);
  const spw_i32 *strings = spw_at(block->strings);
  for (int32_t s = 0; s < block->nstrings; s++) {
    if (strings[s] < 0 || strings[s] >= block->ncolumns) return SPW_BAD_ARGUMENT;
    if (layout[strings[s]].type != SPW_STR) return SPW_BAD_TYPE;
  }
  return 0;
}

/* Which keys the 8 bytes hold: each a byte for its nulls if it has some, then its code. */
static int32_t exact_keys(const spw_sort_plan *plan) {
  int32_t left = 8;
  for (int32_t k = 0; k < plan->nkeys; k++) {
    const int32_t type = plan->layout[plan->keys[k].column].type;
    left -= (plan->keys[k].nullable != 0) + spw_sort_code_bytes(type);
    if (left < 0 || !spw_sort_code_exact(type)) return k;
  }
  return plan->nkeys;
}

int64_t SPW_FN(spw_sort_prepare)(const spw_sort *block, spw_sort_plan *plan) {
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  int64_t bad = spw_rows_check_layout(block->layout, block->ncolumns, block->row_width);
  if (bad != 0) return bad;
  if (block->nkeys < 1 || block->nkeys > SPW_ROWS_MAX_COLUMNS || !spw_aligned(block->keys) || block->nstrings < 0 ||
      block->nstrings > block->ncolumns || (block->nstrings > 0 && block->strings == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  bad = check_keys(block);
  if (bad != 0) return bad;
  plan->layout = spw_at(block->layout);
  plan->keys = spw_at(block->keys);
  plan->nkeys = block->nkeys;
  const spw_sort_key *first = plan->keys;
  const int32_t type = plan->layout[first->column].type;
  plan->whole = spw_sort_code_bytes(type) == 8;
  plan->nullable = first->nullable != 0;
  plan->null_code = first->nulls_last ? ~UINT64_C(0) : 0;
  plan->exact = plan->whole ? spw_sort_code_exact(type) : exact_keys(plan);
  return 0;
}

static uint64_t whole_prefix(const spw_sort_plan *plan, uint64_t page, uint64_t row) {
  const spw_sort_key *key = plan->keys;
  if (key->nullable && spw_rows_null(row, key->column)) return plan->null_code;
  const spw_key *slot = &plan->layout[key->column];
  const uint64_t code = spw_sort_code(slot->type, row + (uint64_t)slot->offset, page);
  return key->descending ? ~code : code;
}

static uint64_t packed_prefix(const spw_sort_plan *plan, uint64_t page, uint64_t row) {
  uint64_t prefix = 0;
  int32_t left = 8; /* bytes */
  for (int32_t k = 0; k < plan->nkeys && left > 0; k++) {
    const spw_sort_key *key = &plan->keys[k];
    const spw_key *slot = &plan->layout[key->column];
    const int null = key->nullable && spw_rows_null(row, key->column);
    if (key->nullable) {
      left--;
      prefix |= (uint64_t)(null == (key->nulls_last != 0)) << (8 * left);
      if (left == 0) break;
    }
    const int32_t bytes = spw_sort_code_bytes(slot->type);
    uint64_t code = null ? 0 : spw_sort_code(slot->type, row + (uint64_t)slot->offset, page);
    if (!null && key->descending) code = ~code & (~UINT64_C(0) >> (64 - 8 * bytes));
    left -= bytes;
    if (left >= 0) prefix |= code << (8 * left);
    else prefix |= code >> (-8 * left);
    if (!spw_sort_code_exact(slot->type)) break; /* what follows it would not be reached in order */
  }
  return prefix;
}

int64_t SPW_FN(spw_sort_index)(spw_sort *block, uint32_t page, uint32_t first, uint64_t entries, uint32_t room) {
  spw_sort_plan plan;
  const int64_t bad = SPW_FN(spw_sort_prepare)(block, &plan);
  if (bad != 0) return bad;
  if (!spw_aligned(block->partition) || (room > 0 && !spw_aligned(entries))) return SPW_BAD_ARGUMENT;
  const spw_partition *partition = spw_at(block->partition);
  if (page >= partition->npages) return SPW_BAD_ARGUMENT;
  const uint64_t address = ((const spw_u64 *)spw_at(partition->pages))[page];
  const spw_page *header = spw_at(address);
  if (first > header->rows) return SPW_BAD_ARGUMENT;
  const uint32_t left = header->rows - first, count = left < room ? left : room;
  spw_sort_entry *entry = spw_at(entries);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t row = spw_page_row(address, first + i, block->row_width);
    entry[i].prefix = plan.whole ? whole_prefix(&plan, address, row) : packed_prefix(&plan, address, row);
    entry[i].handle = (uint64_t)page << 28 | (row - address) / 8;
    *(spw_u64 *)spw_at(row) = entry[i].prefix;
  }
  return count;
}

/* ---- comparing ---- */

static int compare_values(int32_t type, uint64_t a, uint64_t a_page, uint64_t b, uint64_t b_page) {
  if (type == SPW_STR) return spw_string_compare(spw_string_at(a), a_page, spw_string_at(b), b_page);
  if (type == SPW_I128) {
    const spw_wide x = *spw_i128_at(a), y = *spw_i128_at(b);
    return (x > y) - (x < y);
  }
  const uint64_t x = spw_sort_code(type, a, a_page), y = spw_sort_code(type, b, b_page);
  return (x > y) - (x < y);
}

int SPW_FN(spw_sort_compare)(const spw_sort_plan *plan, int32_t from, uint64_t a, uint64_t a_page, uint64_t b,
                             uint64_t b_page) {
  for (int32_t k = from; k < plan->nkeys; k++) {
    const spw_sort_key *key = &plan->keys[k];
    const spw_key *slot = &plan->layout[key->column];
    const int a_null = key->nullable && spw_rows_null(a, key->column);
    const int b_null = key->nullable && spw_rows_null(b, key->column);
    if (a_null && b_null) continue;
    if (a_null != b_null) return a_null == (key->nulls_last != 0) ? 1 : -1;
    const uint64_t offset = (uint64_t)slot->offset;
    const int c = compare_values(slot->type, a + offset, a_page, b + offset, b_page);
    if (c != 0) return (c < 0) == (key->descending != 0) ? 1 : -1;
  }
  return 0;
}

/* ---- sorting: by radix on the prefix, then equal ones by their keys ---- */

typedef struct sorting {
  const spw_sort_plan *plan;
  const spw_u64 *pages;
  int32_t from; /* the key to compare from */
} sorting;

static int later(const sorting *s, const spw_sort_entry *a, const spw_sort_entry *b) {
  const uint64_t a_page = s->pages[a->handle >> 28], b_page = s->pages[b->handle >> 28];
  return SPW_FN(spw_sort_compare)(s->plan, s->from, a_page + (a->handle & 0x0fffffff) * 8, a_page,
                                  b_page + (b->handle & 0x0fffffff) * 8, b_page) > 0;
}

/* Entries of one prefix. Depth: log2 of the count. */
static void sort_equal(const sorting *s, spw_sort_entry *entries, spw_sort_entry *scratch, uint32_t count) {
  if (count <= 8) {
    for (uint32_t i = 1; i < count; i++) {
      const spw_sort_entry entry = entries[i];
      uint32_t at = i;
      for (; at > 0 && later(s, &entries[at - 1], &entry); at--) entries[at] = entries[at - 1];
      entries[at] = entry;
    }
    return;
  }
  const uint32_t middle = count / 2;
  sort_equal(s, entries, scratch, middle);
  sort_equal(s, entries + middle, scratch, count - middle);
  if (!later(s, &entries[middle - 1], &entries[middle])) return;
  memcpy(scratch, entries, middle * sizeof entries[0]);
  uint32_t left = 0, right = middle, to = 0;
  while (left < middle && right < count) {
    entries[to++] = later(s, &scratch[left], &entries[right]) ? entries[right++] : scratch[left++];
  }
  memcpy(entries + to, scratch + left, (middle - left) * sizeof entries[0]);
}

static void sort_ties(const spw_sort *block, const spw_sort_plan *plan, spw_sort_entry *entries,
                      spw_sort_entry *scratch, uint32_t count) {
  const spw_partition *partition = spw_at(block->partition);
  sorting s = {plan, spw_at(partition->pages), 0};
  for (uint32_t start = 0; start < count;) {
    uint32_t end = start + 1;
    while (end < count && entries[end].prefix == entries[start].prefix) end++;
    s.from = spw_sort_tie_from(plan, entries[start].prefix);
    if (end - start > 1 && s.from < plan->nkeys) sort_equal(&s, entries + start, scratch, end - start);
    start = end;
  }
}

/* Byte by byte from the lowest; bytes that all prefixes share are passed over. */
static void sort_prefixes(spw_sort_entry *entries, spw_sort_entry *scratch, uint32_t count) {
  uint32_t counts[8][256];
  memset(counts, 0, sizeof counts);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t prefix = entries[i].prefix;
    for (int byte = 0; byte < 8; byte++) counts[byte][prefix >> (8 * byte) & 0xff]++;
  }
  spw_sort_entry *from = entries, *to = scratch;
  for (int byte = 0; byte < 8; byte++) {
    uint32_t *places = counts[byte];
    if (places[entries[0].prefix >> (8 * byte) & 0xff] == count) continue;
    uint32_t sum = 0;
    for (int digit = 0; digit < 256; digit++) {
      const uint32_t here = places[digit];
      places[digit] = sum;
      sum += here;
    }
    for (uint32_t i = 0; i < count; i++) to[places[from[i].prefix >> (8 * byte) & 0xff]++] = from[i];
    spw_sort_entry *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries) memcpy(entries, from, count * sizeof entries[0]);
}

int64_t SPW_FN(spw_sort_entries)(spw_sort *block, uint64_t entries, uint64_t scratch, uint32_t count) {
  spw_sort_plan plan;
  const int64_t bad = SPW_FN(spw_sort_prepare)(block, &plan);
  if (bad != 0) return bad;
  if (count > SPW_SORT_MAX_ENTRIES || !spw_aligned(block->partition)) return SPW_BAD_ARGUMENT;
  if (count < 2) return count;
  if (!spw_aligned(entries) || !spw_aligned(scratch)) return SPW_BAD_ARGUMENT;
  sort_prefixes(spw_at(entries), spw_at(scratch), count);
  sort_ties(block, &plan, spw_at(entries), spw_at(scratch), count);
  return count;
}
