/* Rows to columns: the rows of a chunk are found first, then read a column at a time. */
#include "spw_rows.h"

#define CHUNK_ROWS 256

/* Addresses of the chunk's rows and of their pages; a row of nulls has 0. */
typedef struct chunk {
  uint64_t rows[CHUNK_ROWS];
  uint64_t pages[CHUNK_ROWS];
  int32_t count;
  int32_t some_absent;
} chunk;

static int find_by_handle(const spw_rows_out *block, int32_t from, chunk *of) {
  const spw_u64 *handles = spw_at(block->handles);
  const spw_partition *partitions = spw_at(block->partitions);
  of->some_absent = 0;
  for (int32_t i = 0; i < of->count; i++) {
    const uint64_t handle = handles[from + i];
    of->rows[i] = of->pages[i] = 0;
    if (handle == 0) {
      of->some_absent = 1;
      continue;
    }
    const uint64_t partition = handle >> 48, page = (handle & SPW_HANDLE_MASK) >> 28;
    if (partition >= (uint64_t)block->npartitions || page >= partitions[partition].npages) return 0;
    of->pages[i] = ((const spw_u64 *)spw_at(partitions[partition].pages))[page];
    of->rows[i] = of->pages[i] + (handle & 0x0fffffff) * 8;
    __builtin_prefetch(spw_at(of->rows[i]));
  }
  return 1;
}

static void find_in_page(const spw_rows_out *block, int32_t from, chunk *of) {
  of->some_absent = 0;
  for (int32_t i = 0; i < of->count; i++) {
    of->pages[i] = block->page;
    of->rows[i] = spw_page_row(block->page, (uint32_t)(block->first + from + i), block->row_width);
  }
}

static void gather_nulls(int32_t column, const chunk *of, int32_t from, spw_column *out) {
  uint8_t *nulls = (uint8_t *)spw_at(out->nulls) + from;
  uint8_t any = 0;
  if (of->some_absent) {
    for (int32_t i = 0; i < of->count; i++) {
      nulls[i] = of->rows[i] == 0 ? 1 : (uint8_t)spw_rows_null(of->rows[i], column);
      any |= nulls[i];
    }
  } else {
    const uint64_t byte = spw_rows_null_byte(column);
    for (int32_t i = 0; i < of->count; i++) {
      nulls[i] = *(const uint8_t *)spw_at(of->rows[i] + byte) >> (column & 7) & 1;
      any |= nulls[i];
    }
  }
  out->has_nulls |= any;
}

static void gather_strings(uint64_t offset, const chunk *of, int32_t from, const spw_column *out) {
  spw_string *values = (spw_string *)spw_at(out->values) + from;
  const uint8_t *nulls = (const uint8_t *)spw_at(out->nulls) + from;
  for (int32_t i = 0; i < of->count; i++) {
    spw_string s;
    memset(&s, 0, sizeof s);
    if (!nulls[i]) s = spw_page_string(of->pages[i], of->rows[i] + offset);
    values[i] = s;
  }
}

#define SPW_GATHER(T, W)                                                                             \
  do {                                                                                               \
    T *values = (T *)spw_at(out->values) + from;                                                     \
    if (nulls_among) {                                                                               \
      for (int32_t i = 0; i < of->count; i++) {                                                      \
        values[i] = nulls[i] ? (T)0 : (T)*(const W *)spw_at(of->rows[i] + offset);                   \
      }                                                                                              \
    } else {                                                                                         \
      for (int32_t i = 0; i < of->count; i++) values[i] = (T)*(const W *)spw_at(of->rows[i] + offset); \
    }                                                                                                \
  } while (0)

static void gather_column(const spw_key *slot, int32_t column, const chunk *of, int32_t from, spw_column *out) {
  const uint64_t offset = (uint64_t)slot->offset;
  gather_nulls(column, of, from, out);
  const uint8_t *nulls = (const uint8_t *)spw_at(out->nulls) + from;
  const int nulls_among = out->has_nulls != 0;
  switch (slot->type) {
    case SPW_BOOL: SPW_GATHER(uint8_t, spw_u64); break;
    case SPW_I8: SPW_GATHER(spw_i8, spw_i64); break;
    case SPW_I16: SPW_GATHER(spw_i16, spw_i64); break;
    case SPW_I32: SPW_GATHER(spw_i32, spw_i64); break;
    case SPW_F32: SPW_GATHER(spw_u32, spw_u64); break;
    case SPW_I64:
    case SPW_F64: SPW_GATHER(spw_u64, spw_u64); break;
    case SPW_I128: SPW_GATHER(spw_i128, spw_i128); break;
    default: gather_strings(offset, of, from, out);
  }
}

static int64_t check_columns(const spw_rows_out *block) {
  const spw_key *layout = spw_at(block->layout);
  const spw_i32 *picks = spw_at(block->picks);
  spw_column *out = spw_at(block->out);
  for (int32_t o = 0; o < block->nout; o++) {
    const int32_t column = block->picks == 0 ? o : picks[o];
    if (column < 0 || column >= block->ncolumns) return SPW_BAD_ARGUMENT;
    if (out[o].type != layout[column].type) return SPW_BAD_TYPE;
    if (out[o].values == 0 || out[o].nulls == 0 || out[o].kind != SPW_VECTOR) return SPW_BAD_ARGUMENT;
    out[o].has_nulls = 0;
  }
  return 0;
}

static int64_t check(const spw_rows_out *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  const int64_t bad = spw_rows_check_layout(block->layout, block->ncolumns, block->row_width);
  if (bad != 0) return bad;
  if (block->rows < 0 || block->nout < 0 || block->nout > SPW_ROWS_MAX_COLUMNS ||
      (block->nout > 0 && !spw_aligned(block->out)) || (block->picks == 0 && block->nout > block->ncolumns)) {
    return SPW_BAD_ARGUMENT;
  }
  if (block->handles != 0) {
    if (block->npartitions < 0 || (block->npartitions > 0 && !spw_aligned(block->partitions))) return SPW_BAD_ARGUMENT;
  } else {
    if (!spw_aligned(block->page) || block->first < 0) return SPW_BAD_ARGUMENT;
    const spw_page *header = spw_at(block->page);
    if ((int64_t)block->first + block->rows > (int64_t)header->rows) return SPW_BAD_ARGUMENT;
  }
  return check_columns(block);
}

int64_t SPW_FN(spw_rows_gather)(spw_rows_out *block) {
  const int64_t bad = check(block);
  if (bad != 0) return bad;
  const spw_key *layout = spw_at(block->layout);
  const spw_i32 *picks = spw_at(block->picks);
  spw_column *out = spw_at(block->out);
  for (int32_t from = 0; from < block->rows; from += CHUNK_ROWS) {
    chunk of;
    of.count = block->rows - from < CHUNK_ROWS ? block->rows - from : CHUNK_ROWS;
    if (block->handles == 0) find_in_page(block, from, &of);
    else if (!find_by_handle(block, from, &of)) return SPW_BAD_ARGUMENT;
    for (int32_t o = 0; o < block->nout; o++) {
      const int32_t column = block->picks == 0 ? o : picks[o];
      gather_column(&layout[column], column, &of, from, &out[o]);
    }
  }
  return block->rows;
}
