/* The writing side of the exchange: chunks of gathered rows, and images of them by partition. */
#include "spw_column.h"
#include "spw_exchange.h"

SPW_INLINE uint8_t *chunk_at(const spw_exchange *x, uint32_t number) {
  const spw_u64 *chunks = spw_at(x->chunks);
  return spw_at(chunks[number]);
}

static int bad_store(const spw_exchange *x) {
  return !spw_aligned((uint64_t)(uintptr_t)x) || x->ncolumns < 0 || x->ncolumns > SPW_EXCHANGE_MAX_COLUMNS ||
         x->npartitions < 1 || x->chunk_bits < 0 || x->chunk_bits > 16 || x->nchunks < 0 || x->stored < 0 ||
         (int64_t)x->nchunks << x->chunk_bits > INT32_MAX || /* or `stored` could pass it */
         (int64_t)x->stored > (int64_t)x->nchunks << x->chunk_bits || x->counts == 0 ||
         (x->nchunks > 0 && !spw_aligned(x->chunks)) || (x->ncolumns > 0 && !spw_aligned(x->layout));
}

/* The bytes of a row's long strings. */
SPW_INLINE uint64_t text_of_row(const spw_column *columns, int32_t ncolumns, size_t row) {
  uint64_t bytes = 0;
  for (int32_t c = 0; c < ncolumns; c++) {
    if (columns[c].type != SPW_STR || spw_column_null(&columns[c], row)) continue;
    const spw_string *s = (const spw_string *)spw_at(columns[c].values) + row * spw_column_stride(&columns[c]);
    if (s->length > SPW_INLINE_BYTES) bytes += s->length;
  }
  return bytes;
}

SPW_INLINE int has_strings(const spw_exchange *x, const spw_column *columns) {
  for (int32_t c = 0; c < x->ncolumns; c++) {
    if (columns[c].type == SPW_STR) return 1;
  }
  return 0;
}

#define SPW_STORE(T)                                                                       \
  do {                                                                                     \
    const T *from = spw_at(column->values);                                                \
    T *to = (T *)values;                                                                   \
    for (int32_t i = 0; i < n; i++) to[i] = from[((size_t)(uint32_t)start + (size_t)i) * stride]; \
  } while (0)

static void store_column(const spw_column *column, spw_exchange_column *layout, uint8_t *chunk, size_t row,
                         int32_t start, int32_t n, uint64_t *text) {
  const int32_t width = spw_width(column->type);
  const size_t stride = spw_column_stride(column);
  uint8_t *nulls = chunk + layout->nulls + row, *values = chunk + layout->values + row * (size_t)width;
  memset(nulls, 0, (size_t)n);
  if (column->nulls != 0) {
    const uint8_t *from = spw_at(column->nulls);
    uint8_t any = 0;
    for (int32_t i = 0; i < n; i++) {
      nulls[i] = from[((size_t)(uint32_t)start + (size_t)i) * stride] != 0;
      any |= nulls[i];
    }
    layout->has_nulls |= any;
  }
  if (column->type != SPW_STR) {
    if (stride != 0) {
      memcpy(values, (const uint8_t *)spw_at(column->values) + (size_t)start * (size_t)width,
             (size_t)n * (size_t)width);
      return;
    }
    switch (width) {
      case 1: SPW_STORE(uint8_t); break;
      case 2: SPW_STORE(spw_i16); break;
      case 4: SPW_STORE(spw_i32); break;
      case 8: SPW_STORE(spw_i64); break;
      default: SPW_STORE(spw_i128); break;
    }
    return;
  }
  const spw_string *from = spw_at(column->values);
  spw_string *to = (spw_string *)values;
  for (int32_t i = 0; i < n; i++) {
    if (nulls[i]) {
      memset(&to[i], 0, sizeof to[i]);
      continue;
    }
    to[i] = from[((size_t)(uint32_t)start + (size_t)i) * stride];
    if (to[i].length > SPW_INLINE_BYTES) {
      memcpy(spw_at(*text), spw_at(to[i].tail.address), to[i].length);
      to[i].tail.address = *text;
      *text += to[i].length;
    }
  }
}

int64_t SPW_FN(spw_exchange_append)(spw_exchange *x, int32_t start) {
  if (bad_store(x) || start < 0 || start > x->rows || (x->ncolumns > 0 && !spw_aligned(x->columns)) ||
      x->text > x->text_end || (x->rows > 0 && x->pids == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *columns = spw_at(x->columns);
  spw_exchange_column *layout = spw_at(x->layout);
  for (int32_t c = 0; c < x->ncolumns; c++) {
    if (spw_width(columns[c].type) == 0 || columns[c].type != layout[c].type) return SPW_BAD_TYPE;
    if (columns[c].values == 0 || columns[c].kind == SPW_SCRATCH) return SPW_BAD_ARGUMENT;
  }
  const int64_t room = ((int64_t)x->nchunks << x->chunk_bits) - x->stored;
  int32_t n = x->rows - start < room ? x->rows - start : (int32_t)room;
  if (n == 0) return 0;
  const int32_t chunk_rows = 1 << x->chunk_bits;
  const int32_t row = x->stored & (chunk_rows - 1);
  if (n > chunk_rows - row) n = chunk_rows - row;
  if (has_strings(x, columns)) {
    const uint64_t free_text = x->text_end - x->text;
    uint64_t text = 0;
    for (int32_t i = 0; i < n; i++) {
      text += text_of_row(columns, x->ncolumns, (size_t)start + (size_t)i);
      if (text > free_text) {
        if (i == 0) {
          x->need = text;
          return SPW_NEEDS_BYTES;
        }
        n = i;
      }
    }
  }
  const spw_i32 *pids = (const spw_i32 *)spw_at(x->pids) + start;
  for (int32_t i = 0; i < n; i++) {
    if ((uint32_t)pids[i] >= (uint32_t)x->npartitions) return SPW_BAD_ARGUMENT;
  }
  spw_u32 *counts = spw_at(x->counts);
  for (int32_t i = 0; i < n; i++) counts[pids[i]]++;
  uint8_t *chunk = chunk_at(x, (uint32_t)x->stored >> x->chunk_bits);
  memcpy(chunk + (size_t)row * 4, pids, (size_t)n * 4);
  for (int32_t c = 0; c < x->ncolumns; c++) {
    store_column(&columns[c], &layout[c], chunk, (size_t)row, start, n, &x->text);
  }
  x->stored += n;
  return n;
}

int64_t SPW_FN(spw_exchange_sort)(spw_exchange *x) {
  if (bad_store(x) || (x->stored > 0 && x->refs == 0)) return SPW_BAD_ARGUMENT;
  spw_u32 *counts = spw_at(x->counts), *refs = spw_at(x->refs);
  uint32_t before = 0;
  for (int32_t p = 0; p < x->npartitions; p++) {
    const uint32_t count = counts[p];
    counts[p] = before;
    before += count;
  }
  if (before != (uint32_t)x->stored) return SPW_BAD_ARGUMENT;
  const uint32_t chunk_rows = (uint32_t)1 << x->chunk_bits;
  for (uint32_t first = 0; first < (uint32_t)x->stored; first += chunk_rows) {
    const spw_i32 *pids = (const spw_i32 *)chunk_at(x, first >> x->chunk_bits);
    const uint32_t left = (uint32_t)x->stored - first, n = left < chunk_rows ? left : chunk_rows;
    for (uint32_t i = 0; i < n; i++) refs[counts[pids[i]]++] = first + i;
  }
  return x->stored;
}

/* ---- images ---- */

#define SPW_GATHER(T)                                                                     \
  do {                                                                                    \
    T *to = (T *)out;                                                                     \
    for (int32_t i = 0; i < n; i++) {                                                     \
      const uint32_t ref = refs[i];                                                       \
      to[i] = ((const T *)(chunk_at(x, ref >> bits) + layout->values))[ref & mask];       \
    }                                                                                     \
  } while (0)

static void gather_values(const spw_exchange *x, const spw_exchange_column *layout, const spw_u32 *refs, int32_t n,
                          uint8_t *out) {
  const int32_t bits = x->chunk_bits;
  const uint32_t mask = ((uint32_t)1 << bits) - 1;
  switch (spw_width(layout->type)) {
    case 1: SPW_GATHER(uint8_t); break;
    case 2: SPW_GATHER(spw_i16); break;
    case 4: SPW_GATHER(spw_i32); break;
    case 8: SPW_GATHER(spw_i64); break;
    default: SPW_GATHER(spw_i128); break;
  }
}

static uint8_t gather_nulls(const spw_exchange *x, const spw_exchange_column *layout, const spw_u32 *refs, int32_t n,
                            uint8_t *out) {
  const uint32_t mask = ((uint32_t)1 << x->chunk_bits) - 1;
  uint8_t any = 0;
  for (int32_t i = 0; i < n; i++) {
    out[i] = (chunk_at(x, refs[i] >> x->chunk_bits) + layout->nulls)[refs[i] & mask];
    any |= out[i];
  }
  return any;
}

/* The bytes of a stored row's long strings; what is null was stored as the empty string. */
static uint64_t stored_text(const spw_exchange *x, const spw_exchange_column *layout, uint32_t ref) {
  const uint32_t mask = ((uint32_t)1 << x->chunk_bits) - 1;
  const uint8_t *chunk = chunk_at(x, ref >> x->chunk_bits);
  uint64_t bytes = 0;
  for (int32_t c = 0; c < x->ncolumns; c++) {
    if (layout[c].type != SPW_STR) continue;
    const uint32_t length = ((const spw_string *)(chunk + layout[c].values))[ref & mask].length;
    if (length > SPW_INLINE_BYTES) bytes += length;
  }
  return bytes;
}

SPW_INLINE uint64_t pad(uint8_t *image, uint64_t at) {
  const uint64_t end = spw_pad8(at);
  memset(image + at, 0, end - at);
  return end;
}

/* How many of the rows fit, at least 1, or 0 with `need` set. Counts padding and null bytes as if
 * every column had them. */
static int32_t fitting(spw_exchange *x, const spw_exchange_column *layout, const spw_u32 *refs, int32_t most) {
  uint64_t frame = spw_image_start(x->ncolumns) + 8, row_bytes = 0;
  int strings = 0;
  for (int32_t c = 0; c < x->ncolumns; c++) {
    frame += 14;
    row_bytes += (uint64_t)spw_width(layout[c].type) + 1;
    strings |= layout[c].type == SPW_STR;
  }
  uint64_t bytes = frame;
  for (int32_t i = 0; i < most; i++) {
    bytes += row_bytes + (strings ? stored_text(x, layout, refs[i]) : 0);
    if (bytes > x->image_capacity || bytes > INT32_MAX) {
      x->need = bytes;
      return i;
    }
  }
  return most;
}

int64_t SPW_FN(spw_exchange_image)(spw_exchange *x, int32_t start, int32_t end) {
  if (bad_store(x) || start < 0 || end <= start || end > x->stored || x->refs == 0 || !spw_aligned(x->image)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_exchange_column *layout = spw_at(x->layout);
  const spw_u32 *refs = (const spw_u32 *)spw_at(x->refs) + start;
  const int32_t n = fitting(x, layout, refs, end - start);
  if (n == 0) return x->need > INT32_MAX ? SPW_TOO_LONG : SPW_NEEDS_BYTES;
  uint8_t *image = spw_at(x->image);
  uint64_t at = spw_image_start(x->ncolumns);
  memset(image, 0, at);
  for (int32_t c = 0; c < x->ncolumns; c++) {
    gather_values(x, &layout[c], refs, n, image + at);
    at = pad(image, at + (uint64_t)(uint32_t)n * (uint64_t)spw_width(layout[c].type));
    if (layout[c].has_nulls && gather_nulls(x, &layout[c], refs, n, image + at)) {
      image[SPW_IMAGE_HEADER + c / 8] |= (uint8_t)(1 << c % 8);
      at = pad(image, at + (uint64_t)(uint32_t)n);
    }
  }
  uint64_t column = spw_image_start(x->ncolumns);
  for (int32_t c = 0; c < x->ncolumns; c++) {
    spw_string *strings = (spw_string *)(image + column);
    for (int32_t i = 0; layout[c].type == SPW_STR && i < n; i++) {
      if (strings[i].length <= SPW_INLINE_BYTES) continue;
      memcpy(image + at, spw_at(strings[i].tail.address), strings[i].length);
      strings[i].tail.address = at;
      at += strings[i].length;
    }
    column += spw_pad8((uint64_t)(uint32_t)n * (uint64_t)spw_width(layout[c].type));
    if (image[SPW_IMAGE_HEADER + c / 8] >> c % 8 & 1) column += spw_pad8((uint64_t)(uint32_t)n);
  }
  at = pad(image, at);
  const uint32_t header[2] = {(uint32_t)at, (uint32_t)n};
  memcpy(image, header, sizeof header);
  x->image_bytes = (int32_t)at;
  return n;
}
