/* Columns to rows: a chunk of rows is placed first, then filled a column at a time. */
#include "spw_column.h"
#include "spw_rows.h"

#define CHUNK_ROWS 256

/* Where the chunk's rows lie, and where in the page the next string of each goes. */
typedef struct chunk {
  uint64_t rows[CHUNK_ROWS];
  uint64_t pages[CHUNK_ROWS];
  uint32_t heap[CHUNK_ROWS]; /* bytes of strings at first, then the offset of the next */
} chunk;

/* The columns' row that is the i-th to append. */
SPW_INLINE size_t source(const spw_rows *block, int64_t i) {
  return block->selection == 0 ? (size_t)i : (size_t)((const spw_u32 *)spw_at(block->selection))[i];
}

SPW_INLINE uint64_t hash_of(const spw_rows *block, int64_t i) {
  return block->hashes == 0 ? 0 : ((const spw_u64 *)spw_at(block->hashes))[source(block, i)];
}

/* Adds up what each row's strings need in its page. */
static void measure(const spw_rows *block, int64_t base, int32_t rows, uint64_t *bytes) {
  memset(bytes, 0, (size_t)rows * sizeof bytes[0]);
  const spw_column *columns = spw_at(block->columns);
  for (int32_t c = 0; c < block->ncolumns; c++) {
    if (columns[c].type != SPW_STR) continue;
    const spw_string *values = spw_at(columns[c].values);
    const uint8_t *nulls = spw_column_nulls(&columns[c]);
    const size_t stride = spw_column_stride(&columns[c]), null_stride = spw_column_null_stride(&columns[c]);
    for (int32_t i = 0; i < rows; i++) {
      const size_t at = source(block, base + i);
      if (nulls[at * null_stride] == 0) bytes[i] += spw_heap_bytes(&values[at * stride]);
    }
  }
}

static int64_t needs_page(spw_rows *block, int32_t number, uint64_t bytes) {
  const spw_partition *partitions = spw_at(block->partitions);
  const int64_t need = spw_next_page_bytes(&partitions[number], sizeof(spw_page) + bytes);
  if (need < 0) return need;
  block->need_partition = number;
  block->need = (uint64_t)need;
  return SPW_NEEDS_PAGE;
}

/* Takes rows in the pages, in order; *placed of them are when it ends. */
static int64_t place(spw_rows *block, int64_t base, int32_t rows, const uint64_t *bytes, chunk *to, int32_t *placed) {
  spw_partition *partitions = spw_at(block->partitions);
  const size_t width = (size_t)block->row_width;
  for (int32_t i = 0; i < rows; i++) {
    *placed = i;
    const uint64_t hash = hash_of(block, base + i), size = width + bytes[i];
    const int32_t number = spw_partition_of(hash, block->partition_bits, block->hash_shift);
    spw_partition *partition = &partitions[number];
    if (partition->npages == 0 || size > spw_page_free(spw_last_page(partition), block->row_width)) {
      return needs_page(block, number, size);
    }
    const uint64_t page = spw_last_page(partition), row = spw_page_add_row(page, block->row_width);
    spw_page *header = spw_at(page);
    header->back -= (uint32_t)bytes[i];
    to->rows[i] = row;
    to->pages[i] = page;
    to->heap[i] = header->back;
    partition->rows++;
    memset(spw_at(row), 0, (size_t)(SPW_ROW_HEADER + spw_rows_null_bytes(block->ncolumns)));
    *(spw_u64 *)spw_at(row) = hash;
  }
  *placed = rows;
  return 0;
}

static void fill_nulls(const spw_rows *block, int32_t column, int64_t base, int32_t rows, const chunk *to) {
  const spw_column *from = (const spw_column *)spw_at(block->columns) + column;
  if (from->nulls == 0) return;
  const uint8_t *nulls = spw_at(from->nulls);
  const size_t stride = spw_column_stride(from);
  const uint64_t byte = spw_rows_null_byte(column);
  for (int32_t i = 0; i < rows; i++) {
    uint8_t *bits = spw_at(to->rows[i] + byte);
    *bits |= (uint8_t)((nulls[source(block, base + i) * stride] != 0) << (column & 7));
  }
}

static void fill_strings(const spw_rows *block, int32_t column, int64_t base, int32_t rows, chunk *to) {
  const spw_column *from = (const spw_column *)spw_at(block->columns) + column;
  const spw_string *values = spw_at(from->values);
  const size_t stride = spw_column_stride(from);
  const uint64_t offset = (uint64_t)((const spw_key *)spw_at(block->layout))[column].offset;
  for (int32_t i = 0; i < rows; i++) {
    spw_string copy;
    memset(&copy, 0, sizeof copy);
    if (!spw_rows_null(to->rows[i], column)) {
      memcpy(&copy, &values[source(block, base + i) * stride], sizeof copy);
      if (copy.length > SPW_INLINE_BYTES) {
        memcpy(spw_at(to->pages[i] + to->heap[i]), spw_at(copy.tail.address), copy.length);
        copy.tail.address = to->heap[i];
        to->heap[i] += copy.length;
      }
    }
    memcpy(spw_at(to->rows[i] + offset), &copy, sizeof copy);
  }
}

#define SPW_FILL(T, W)                                                                            \
  do {                                                                                            \
    const T *values = spw_at(from->values);                                                       \
    for (int32_t i = 0; i < rows; i++) {                                                          \
      *(W *)spw_at(to->rows[i] + offset) = (W)values[source(block, base + i) * stride];           \
    }                                                                                             \
  } while (0)

/* The value of a null row is undefined, but memory all the same: it is copied like any other. */
static void fill_column(const spw_rows *block, int32_t column, int64_t base, int32_t rows, chunk *to) {
  const spw_column *from = (const spw_column *)spw_at(block->columns) + column;
  const size_t stride = spw_column_stride(from);
  const uint64_t offset = (uint64_t)((const spw_key *)spw_at(block->layout))[column].offset;
  fill_nulls(block, column, base, rows, to);
  switch (from->type) {
    case SPW_BOOL: SPW_FILL(uint8_t, spw_u64); break;
    case SPW_I8: SPW_FILL(spw_i8, spw_i64); break;
    case SPW_I16: SPW_FILL(spw_i16, spw_i64); break;
    case SPW_I32: SPW_FILL(spw_i32, spw_i64); break;
    case SPW_F32: SPW_FILL(spw_u32, spw_u64); break;
    case SPW_I64:
    case SPW_F64: SPW_FILL(spw_u64, spw_u64); break;
    case SPW_I128: SPW_FILL(spw_i128, spw_i128); break;
    default: fill_strings(block, column, base, rows, to);
  }
}

static int64_t check(const spw_rows *block, int64_t start) {
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  const int64_t bad = spw_rows_check_layout(block->layout, block->ncolumns, block->row_width);
  if (bad != 0) return bad;
  if (!spw_aligned(block->partitions) || block->partition_bits < 0 || block->partition_bits > 6 ||
      block->hash_shift < 0 || block->hash_shift > 63 || block->rows < 0 || start < 0 || start > block->rows ||
      (block->ncolumns > 0 && !spw_aligned(block->columns))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *columns = spw_at(block->columns);
  const spw_key *layout = spw_at(block->layout);
  for (int32_t c = 0; c < block->ncolumns; c++) {
    if (columns[c].type != layout[c].type) return SPW_BAD_TYPE;
    if (columns[c].values == 0 || (columns[c].kind != SPW_VECTOR && columns[c].kind != SPW_CONSTANT)) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

int64_t SPW_FN(spw_rows_append)(spw_rows *block, int64_t start) {
  int64_t result = check(block, start);
  if (result != 0) return result;
  for (int64_t base = start; base < block->rows; base += CHUNK_ROWS) {
    const int64_t left = block->rows - base;
    const int32_t rows = left < CHUNK_ROWS ? (int32_t)left : CHUNK_ROWS;
    chunk to;
    uint64_t bytes[CHUNK_ROWS];
    int32_t placed = 0;
    measure(block, base, rows, bytes);
    result = place(block, base, rows, bytes, &to, &placed);
    for (int32_t c = 0; c < block->ncolumns; c++) fill_column(block, c, base, placed, &to);
    if (result != 0) {
      block->rows_done = base + placed;
      return result;
    }
  }
  block->rows_done = block->rows;
  return block->rows;
}

int64_t SPW_FN(spw_rows_check)(spw_rows *block, uint64_t page, uint32_t capacity) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || !spw_aligned(page)) return SPW_BAD_ARGUMENT;
  const int64_t bad = spw_rows_check_layout(block->layout, block->ncolumns, block->row_width);
  if (bad != 0) return bad;
  const spw_page *header = spw_at(page);
  if (!spw_page_header_sound(header, capacity, block->row_width)) return SPW_BAD_PAGE;
  const spw_key *layout = spw_at(block->layout);
  for (int32_t c = 0; c < block->ncolumns; c++) {
    if (layout[c].type != SPW_STR) continue;
    for (uint32_t r = 0; r < header->rows; r++) {
      const uint64_t row = spw_page_row(page, r, block->row_width);
      if (spw_rows_null(row, c)) continue;
      if (!spw_page_string_inside(header, row + (uint64_t)layout[c].offset)) return SPW_BAD_PAGE;
    }
  }
  return 0;
}
