#include "spw_unsafe_row.h"

#include "spw_column.h"

#define SPW_MAX_COLUMNS 4096

static uint64_t null_bytes(int32_t columns) { return ((uint64_t)columns + 63) / 64 * 8; }

static int64_t check(const spw_row_batch *block, int reading) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->ncolumns < 0 || block->ncolumns > SPW_MAX_COLUMNS ||
      block->rows < 0 || block->offsets == 0 || block->data == 0 || (block->data & 7) != 0) {
    return SPW_BAD_ARGUMENT;
  }
  if (block->ncolumns > 0 && !spw_aligned(block->columns)) return SPW_BAD_ARGUMENT;
  const spw_column *columns = spw_at(block->columns);
  for (int32_t c = 0; c < block->ncolumns; c++) {
    if (spw_width(columns[c].type) == 0) return SPW_BAD_TYPE;
    if (columns[c].values == 0 || (reading && columns[c].nulls == 0)) return SPW_BAD_ARGUMENT;
    if (columns[c].kind != SPW_VECTOR && (reading || columns[c].kind != SPW_CONSTANT)) return SPW_BAD_ARGUMENT;
  }
  return 0;
}

/* ---- reading ---- */

static int64_t check_rows(const spw_row_batch *block) {
  const spw_i32 *offsets = spw_at(block->offsets);
  const int64_t fixed = (int64_t)null_bytes(block->ncolumns) + 8 * (int64_t)block->ncolumns;
  if (offsets[0] < 0) return SPW_BAD_ROW;
  for (int32_t r = 0; r < block->rows; r++) {
    if (offsets[r] % 8 != 0 || (int64_t)offsets[r + 1] - offsets[r] < fixed) return SPW_BAD_ROW;
  }
  return 0;
}

typedef struct reader {
  const uint8_t *data;
  const spw_i32 *offsets;
  int32_t rows;
  int32_t field;
  uint64_t word; /* of the field, in the row */
} reader;

SPW_INLINE int read_null(const reader *in, int32_t r) {
  return in->data[in->offsets[r] + (in->field >> 3)] >> (in->field & 7) & 1;
}

/* The bytes that a field's word points to; 0 if they lie outside the row. */
SPW_INLINE const uint8_t *read_bytes(const reader *in, int32_t r, uint32_t *length) {
  const uint8_t *row = in->data + in->offsets[r];
  const uint64_t word = *(const spw_u64 *)(row + in->word);
  const uint64_t offset = word >> 32, size = word & 0xffffffffu;
  const uint64_t row_size = (uint64_t)((int64_t)in->offsets[r + 1] - in->offsets[r]);
  *length = (uint32_t)size;
  return offset > row_size || size > row_size - offset ? NULL : row + offset;
}

#define SPW_READ_LOOP(T, EXPR)                                                  \
  do {                                                                          \
    T *out = spw_at(column->values);                                            \
    for (int32_t r = 0; r < in->rows; r++) {                                    \
      const uint8_t null = (uint8_t)read_null(in, r);                           \
      const T value = *(const T *)(in->data + in->offsets[r] + in->word);       \
      nulls[r] = null;                                                          \
      any |= null;                                                              \
      out[r] = (EXPR);                                                          \
    }                                                                           \
  } while (0)

static int64_t read_wide(const reader *in, spw_column *column, uint8_t *nulls) {
  spw_i128 *out = spw_at(column->values);
  for (int32_t r = 0; r < in->rows; r++) {
    nulls[r] = (uint8_t)read_null(in, r);
    column->has_nulls |= nulls[r];
    out[r] = 0;
    if (nulls[r]) continue;
    uint32_t length;
    const uint8_t *bytes = read_bytes(in, r, &length);
    if (bytes == NULL || length == 0 || length > 16) return SPW_BAD_ROW;
    out[r] = spw_wide_from_bytes(bytes, length);
  }
  return 0;
}

static int64_t read_strings(const reader *in, spw_column *column, uint8_t *nulls) {
  spw_string *out = spw_at(column->values);
  for (int32_t r = 0; r < in->rows; r++) {
    nulls[r] = (uint8_t)read_null(in, r);
    column->has_nulls |= nulls[r];
    if (nulls[r]) {
      memset(&out[r], 0, sizeof out[r]);
      continue;
    }
    uint32_t length;
    const uint8_t *bytes = read_bytes(in, r, &length);
    if (bytes == NULL) return SPW_BAD_ROW;
    spw_make_string(&out[r], bytes, length);
  }
  return 0;
}

static int64_t read_column(const reader *in, spw_column *column) {
  uint8_t *nulls = spw_at(column->nulls);
  uint8_t any = 0;
  column->has_nulls = 0;
  switch (column->type) {
    case SPW_BOOL: SPW_READ_LOOP(uint8_t, value != 0); break;
    case SPW_I8: SPW_READ_LOOP(uint8_t, value); break;
    case SPW_I16: SPW_READ_LOOP(spw_i16, value); break;
    case SPW_I32:
    case SPW_F32: SPW_READ_LOOP(spw_i32, value); break;
    case SPW_I64:
    case SPW_F64: SPW_READ_LOOP(spw_i64, value); break;
    case SPW_I128: return read_wide(in, column, nulls);
    default: return read_strings(in, column, nulls);
  }
  column->has_nulls = any;
  return 0;
}

int64_t SPW_FN(spw_rows_to_columns)(spw_row_batch *block) {
  int64_t bad = check(block, 1);
  if (bad == 0) bad = check_rows(block);
  spw_column *columns = spw_at(block->columns);
  reader in = {spw_at(block->data), spw_at(block->offsets), block->rows, 0, null_bytes(block->ncolumns)};
  for (; bad == 0 && in.field < block->ncolumns; in.field++, in.word += 8) bad = read_column(&in, &columns[in.field]);
  return bad == 0 ? block->rows : bad;
}

/* ---- writing ---- */

SPW_INLINE const void *column_value(const spw_column *c, int64_t row) {
  return (const uint8_t *)spw_at(c->values) +
         (size_t)row * spw_column_stride(c) * (size_t)spw_width(c->type);
}

static uint64_t row_bytes(const spw_row_batch *block, int64_t row, uint64_t fixed) {
  const spw_column *columns = spw_at(block->columns);
  uint64_t bytes = fixed;
  for (int32_t c = 0; c < block->ncolumns; c++) {
    if (columns[c].type == SPW_I128) {
      bytes += 16; /* a null one as well: Spark keeps the room for a later update */
    } else if (columns[c].type == SPW_STR && !spw_column_null(&columns[c], (uint64_t)row)) {
      bytes += ((uint64_t)((const spw_string *)column_value(&columns[c], row))->length + 7) & ~UINT64_C(7);
    }
  }
  return bytes;
}

/* Big-endian two's complement in as few bytes as hold the sign, as BigInteger.toByteArray. */
static uint64_t write_wide(uint8_t *to, spw_wide value) {
  uint32_t length = 1;
  for (spw_wide rest = value; rest < -128 || rest > 127; rest >>= 8) length++;
  memset(to, 0, 16);
  for (uint32_t i = 0; i < length; i++) to[i] = (uint8_t)((spw_uwide)value >> (8 * (length - 1 - i)));
  return length;
}

static uint64_t write_string(uint8_t *to, const spw_string *s) {
  const uint32_t length = s->length;
  const uint64_t padded = ((uint64_t)length + 7) & ~UINT64_C(7);
  if (length == 0) return 0;
  memset(to + padded - 8, 0, 8);
  memcpy(to, spw_bytes(s, 0), length);
  return padded;
}

static void write_row(const spw_row_batch *block, int64_t row, uint8_t *to, uint64_t fixed) {
  const spw_column *columns = spw_at(block->columns);
  const uint64_t bitset = null_bytes(block->ncolumns);
  uint64_t end = fixed;
  memset(to, 0, bitset);
  for (int32_t c = 0; c < block->ncolumns; c++) {
    const spw_column *column = &columns[c];
    const int null = spw_column_null(column, (uint64_t)row);
    spw_u64 *word = (spw_u64 *)(to + bitset + 8 * (uint64_t)c);
    *word = 0;
    to[c >> 3] |= (uint8_t)(null << (c & 7));
    if (column->type == SPW_I128) {
      uint64_t length = 0;
      if (null) memset(to + end, 0, 16);
      else length = write_wide(to + end, *(const spw_i128 *)column_value(column, row));
      *word = end << 32 | length;
      end += 16;
    } else if (null) {
      continue;
    } else if (column->type == SPW_STR) {
      const spw_string *s = column_value(column, row);
      *word = end << 32 | s->length;
      end += write_string(to + end, s);
    } else {
      memcpy(word, column_value(column, row), (size_t)spw_width(column->type));
    }
  }
}

int64_t SPW_FN(spw_columns_to_rows)(spw_row_batch *block, int32_t start) {
  const int64_t bad = check(block, 0);
  if (bad != 0) return bad;
  if (start < 0 || start > block->rows) return SPW_BAD_ARGUMENT;
  const uint64_t fixed = null_bytes(block->ncolumns) + 8 * (uint64_t)block->ncolumns;
  const uint64_t capacity = block->capacity < INT32_MAX ? block->capacity : INT32_MAX; /* offsets are int32 */
  spw_i32 *offsets = spw_at(block->offsets);
  uint64_t end = 0;
  int64_t row = start;
  offsets[0] = 0;
  for (; row < block->rows; row++) {
    const uint64_t bytes = row_bytes(block, row, fixed);
    if (bytes > capacity - end) {
      if (row > start) break;
      if (bytes > INT32_MAX) return SPW_TOO_LONG; /* no buffer would help */
      block->need = (int64_t)bytes;
      return SPW_NEEDS_BYTES;
    }
    write_row(block, row, (uint8_t *)spw_at(block->data) + end, fixed);
    end += bytes;
    offsets[row - start + 1] = (int32_t)end;
  }
  return row - start;
}
