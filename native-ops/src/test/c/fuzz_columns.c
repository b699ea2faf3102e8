/* The column kernels and UnsafeRow conversion. */
#include "fuzz.h"

static uint8_t *null_bytes(const spw_column *c) { return spw_at(c->nulls); }

static void select_and_take(rng *r, const kernels *k, int32_t rows) {
  arena a = {NULL};
  spw_column condition;
  fuzz_column(r, &a, &condition, SPW_BOOL, SPW_VECTOR, rows, (int)rng_below(r, 4));
  int32_t *selection = arena_take(&a, (size_t)rows * 4);
  const int64_t count = k->select(condition.values, condition.nulls, rows, (uint64_t)(uintptr_t)selection);
  int32_t expected = 0;
  for (int32_t i = 0; i < rows; i++) {
    if (null_at(&condition, i) || *(const uint8_t *)value_at(&condition, i) == 0) continue;
    CHECK(expected < count && selection[expected] == i);
    expected++;
  }
  CHECK(count == expected);
  spw_column in[9], out[9];
  for (int32_t t = 0; t < 9; t++) {
    fuzz_column(r, &a, &in[t], t + 1, rng_one_in(r, 5) ? SPW_CONSTANT : SPW_VECTOR, rows, (int)rng_below(r, 4));
    memset(&out[t], 0, sizeof out[t]);
    out[t].type = t + 1;
    out[t].values = arena_address(&a, (size_t)count * (size_t)spw_width(t + 1));
    if (in[t].nulls != 0 || rng_one_in(r, 2)) out[t].nulls = arena_address(&a, (size_t)count);
  }
  CHECK(k->take((uint64_t)(uintptr_t)in, (uint64_t)(uintptr_t)out, 9, (uint64_t)(uintptr_t)selection,
                (int32_t)count) == count);
  for (int t = 0; t < 9; t++) {
    int any = 0;
    for (int32_t i = 0; i < count; i++) {
      const int null = null_at(&in[t], selection[i]);
      any |= null;
      CHECK(null_at(&out[t], i) == null);
      CHECK(memcmp(value_at(&out[t], i), value_at(&in[t], selection[i]), (size_t)spw_width(t + 1)) == 0);
    }
    CHECK(out[t].has_nulls == any);
  }
  arena_free(&a);
}

static void dictionary(rng *r, const kernels *k, int32_t rows) {
  arena a = {NULL};
  const int32_t type = (int32_t)(1 + rng_below(r, 9)), entries = (int32_t)(1 + rng_below(r, 20));
  const size_t width = (size_t)spw_width(type);
  spw_column dict, ids;
  fuzz_column(r, &a, &dict, type, SPW_VECTOR, entries, NULLS_ABSENT);
  fuzz_column(r, &a, &ids, SPW_I32, SPW_VECTOR, rows, (int)rng_below(r, 4));
  int32_t *id = spw_at(ids.values);
  for (int32_t i = 0; i < rows; i++) {
    if (!null_at(&ids, i)) id[i] = (int32_t)rng_below(r, (uint64_t)entries); /* a null row keeps its rubbish */
  }
  uint8_t *out = arena_take(&a, (size_t)rows * width);
  const uint8_t zero[16] = {0};
  CHECK(k->dictionary(type, dict.values, entries, ids.values, ids.nulls, rows, (uint64_t)(uintptr_t)out) == rows);
  for (int32_t i = 0; i < rows; i++) {
    CHECK(memcmp(out + (size_t)i * width, null_at(&ids, i) ? zero : value_at(&dict, id[i]), width) == 0);
  }
  const int32_t at = (int32_t)rng_below(r, (uint64_t)rows);
  if (!null_at(&ids, at)) {
    id[at] = rng_one_in(r, 2) ? entries : -1;
    CHECK(k->dictionary(type, dict.values, entries, ids.values, ids.nulls, rows, (uint64_t)(uintptr_t)out) ==
          SPW_BAD_ARGUMENT);
  }
  arena_free(&a);
}

static void pieces(rng *r, const kernels *k, int32_t rows) {
  arena a = {NULL};
  const int32_t data_bytes = (int32_t)(16 + rng_below(r, 400));
  uint8_t *data = arena_take(&a, (size_t)data_bytes);
  for (int32_t i = 0; i < data_bytes; i++) data[i] = (uint8_t)rng_next(r);
  spw_column nulls;
  fuzz_column(r, &a, &nulls, SPW_BOOL, SPW_VECTOR, rows, (int)rng_below(r, 4));
  int32_t *offset = arena_take(&a, (size_t)rows * 4), *length = arena_take(&a, (size_t)rows * 4);
  const int wide = rng_one_in(r, 2);
  for (int32_t i = 0; i < rows; i++) {
    if (null_at(&nulls, i)) continue;
    length[i] = wide ? (int32_t)(1 + rng_below(r, 16)) : (int32_t)rng_below(r, (uint64_t)data_bytes);
    offset[i] = (int32_t)rng_below(r, (uint64_t)(data_bytes - length[i] + 1));
  }
  const uint64_t o = (uint64_t)(uintptr_t)offset, l = (uint64_t)(uintptr_t)length, d = (uint64_t)(uintptr_t)data;
  uint8_t *out = arena_take(&a, (size_t)rows * 16);
  int64_t (*kernel)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int32_t, uint64_t) =
      wide ? k->decimals : k->strings;
  CHECK(kernel(o, l, d, (uint64_t)data_bytes, nulls.nulls, rows, (uint64_t)(uintptr_t)out) == rows);
  for (int32_t i = 0; i < rows; i++) {
    const uint8_t *got = out + (size_t)i * 16;
    if (wide) {
      spw_wide w;
      memcpy(&w, got, 16);
      spw_wide expected = 0;
      if (!null_at(&nulls, i)) {
        expected = (int8_t)data[offset[i]];
        for (int32_t j = 1; j < length[i]; j++) expected = expected * 256 + data[offset[i] + j];
      }
      CHECK(w == expected);
    } else {
      const spw_str s = str_value(got);
      CHECK(s.length == (null_at(&nulls, i) ? 0 : (uint32_t)length[i]));
      CHECK(s.length == 0 || memcmp(str_bytes(&s), data + offset[i], s.length) == 0);
      CHECK(s.length < 4 || memcmp(s.prefix, data + offset[i], 4) == 0);
      for (uint32_t j = s.length; j < 12; j++) CHECK(((const uint8_t *)&s)[4 + j] == 0);
    }
  }
  const int32_t at = (int32_t)rng_below(r, (uint64_t)rows);
  if (!null_at(&nulls, at)) {
    offset[at] = rng_one_in(r, 2) ? -1 : data_bytes - length[at] + 1;
    CHECK(kernel(o, l, d, (uint64_t)data_bytes, nulls.nulls, rows, (uint64_t)(uintptr_t)out) == SPW_BAD_ARGUMENT);
  }
  arena_free(&a);
}

static void widen(rng *r, const kernels *k, int32_t rows) {
  arena a = {NULL};
  const int32_t type = (int32_t)(SPW_I8 + (int)rng_below(r, 3));
  spw_column in;
  fuzz_column(r, &a, &in, type, SPW_VECTOR, rows, NULLS_ABSENT);
  int64_t *out = arena_take(&a, (size_t)rows * 8);
  CHECK(k->widen(type, in.values, rows, (uint64_t)(uintptr_t)out) == rows);
  for (int32_t i = 0; i < rows; i++) {
    int32_t v = 0;
    memcpy(&v, value_at(&in, i), (size_t)spw_width(type));
    const int shift = 32 - 8 * spw_width(type);
    CHECK(out[i] == (int32_t)((uint32_t)v << shift) >> shift);
  }
  CHECK(k->widen(SPW_F64, in.values, rows, (uint64_t)(uintptr_t)out) == SPW_BAD_TYPE);
  arena_free(&a);
}

void fuzz_columns(rng *r, const kernels *levels, int nlevels) {
  const kernels *k = &levels[rng_below(r, (uint64_t)nlevels)];
  const int32_t rows = (int32_t)(1 + rng_below(r, 200));
  select_and_take(r, k, rows);
  dictionary(r, k, rows);
  pieces(r, k, rows);
  widen(r, k, rows);
}

/* ---- UnsafeRow ---- */

static int same_value(const spw_column *a, int64_t i, const spw_column *b, int64_t j) {
  if (null_at(a, i) || null_at(b, j)) return null_at(a, i) == null_at(b, j);
  if (a->type != SPW_STR) return memcmp(value_at(a, i), value_at(b, j), (size_t)spw_width(a->type)) == 0;
  const spw_str x = str_value(value_at(a, i)), y = str_value(value_at(b, j));
  return str_order(&x, &y) == 0;
}

/* Reads what was written back into columns of their own, and compares. */
static void read_back(arena *a, const kernels *k, const spw_column *columns, spw_row_batch *written, int32_t first,
                      int32_t rows) {
  spw_column *back = arena_take(a, sizeof(spw_column) * (size_t)written->ncolumns);
  for (int32_t c = 0; c < written->ncolumns; c++) {
    memset(&back[c], 0, sizeof back[c]);
    back[c].type = columns[c].type;
    back[c].values = arena_address(a, (size_t)rows * (size_t)spw_width(columns[c].type));
    back[c].nulls = arena_address(a, (size_t)rows);
  }
  spw_row_batch in = {(uint64_t)(uintptr_t)back, written->data, written->offsets, 0, written->ncolumns, rows, 0};
  CHECK(k->rows_to_columns(&in) == rows);
  for (int32_t c = 0; c < written->ncolumns; c++) {
    int any = 0;
    for (int32_t i = 0; i < rows; i++) {
      CHECK(same_value(&back[c], i, &columns[c], first + i));
      any |= null_bytes(&back[c])[i];
    }
    CHECK(back[c].has_nulls == any);
  }
}

/* A damaged row is refused, or read as some other row; never read outside its bytes. */
static void read_damaged(rng *r, arena *a, const kernels *k, const spw_row_batch *written, int32_t rows,
                         const spw_column *columns) {
  const int32_t *offsets = spw_at(written->offsets);
  const size_t bytes = (size_t)offsets[rows];
  uint8_t *copy = arena_take(a, bytes);
  memcpy(copy, spw_at(written->data), bytes);
  for (int hits = 0; hits < 5; hits++) copy[rng_below(r, bytes)] ^= (uint8_t)(1 << rng_below(r, 8));
  spw_column *back = arena_take(a, sizeof(spw_column) * (size_t)written->ncolumns);
  for (int32_t c = 0; c < written->ncolumns; c++) {
    memset(&back[c], 0, sizeof back[c]);
    back[c].type = columns[c].type;
    back[c].values = arena_address(a, (size_t)rows * (size_t)spw_width(columns[c].type));
    back[c].nulls = arena_address(a, (size_t)rows);
  }
  spw_row_batch in = {(uint64_t)(uintptr_t)back, (uint64_t)(uintptr_t)copy, written->offsets, 0, written->ncolumns,
                      rows, 0};
  const int64_t result = k->rows_to_columns(&in);
  CHECK(result == rows || result == SPW_BAD_ROW);
  for (int32_t c = 0; result == rows && c < written->ncolumns; c++) {
    if (columns[c].type != SPW_STR) continue;
    uint8_t sum = 0;
    for (int32_t i = 0; i < rows; i++) {
      const spw_str s = str_value(value_at(&back[c], i));
      for (uint32_t j = 0; j < s.length; j++) sum ^= str_bytes(&s)[j];
    }
    null_bytes(&back[c])[0] ^= sum; /* so that the reads are made */
  }
}

void fuzz_unsafe_rows(rng *r, const kernels *levels, int nlevels) {
  const kernels *k = &levels[rng_below(r, (uint64_t)nlevels)];
  arena a = {NULL};
  const int32_t rows = (int32_t)(1 + rng_below(r, 60)), ncolumns = (int32_t)(1 + rng_below(r, rng_one_in(r, 8) ? 150 : 12));
  spw_column *columns = arena_take(&a, sizeof(spw_column) * (size_t)ncolumns);
  for (int32_t c = 0; c < ncolumns; c++) {
    fuzz_column(r, &a, &columns[c], (int32_t)(1 + rng_below(r, 9)), rng_one_in(r, 6) ? SPW_CONSTANT : SPW_VECTOR, rows,
                (int)rng_below(r, 4));
  }
  size_t capacity = 16 + rng_below(r, 2000);
  for (int32_t start = 0; start < rows;) {
    spw_row_batch out = {(uint64_t)(uintptr_t)columns, arena_address(&a, capacity), 0, capacity, ncolumns, rows, 0};
    out.offsets = arena_address(&a, ((size_t)rows + 1) * 4);
    const int64_t written = k->columns_to_rows(&out, start);
    arena_check(&a);
    if (written == SPW_NEEDS_BYTES) {
      CHECK(out.need > (int64_t)capacity);
      capacity = (size_t)out.need; /* exactly enough for one row */
      continue;
    }
    CHECK(written >= 1 && start + written <= rows);
    read_back(&a, k, columns, &out, start, (int32_t)written);
    read_damaged(r, &a, k, &out, (int32_t)written, columns);
    start += (int32_t)written;
  }
  arena_free(&a);
}
