#include "spw_columns.h"

#include "spw_column.h"

int64_t SPW_FN(spw_select)(uint64_t values, uint64_t nulls, int32_t rows, uint64_t out) {
  if (rows < 0 || (rows > 0 && (values == 0 || out == 0))) return SPW_BAD_ARGUMENT;
  const uint8_t *v = spw_at(values), *n = nulls == 0 ? &spw_not_null : spw_at(nulls);
  const size_t ns = nulls != 0;
  spw_i32 *selected = spw_at(out);
  int32_t count = 0;
  /* Written always, kept if true: no branch to mispredict. count <= i, so it stays inside. */
  for (int32_t i = 0; i < rows; i++) {
    selected[count] = i;
    count += (v[i] != 0) & (n[(size_t)i * ns] == 0);
  }
  return count;
}

#define SPW_BY_WIDTH(WIDTH, ACTION)     \
  switch (WIDTH) {                      \
    case 1: ACTION(uint8_t); break;     \
    case 2: ACTION(spw_i16); break;     \
    case 4: ACTION(spw_i32); break;     \
    case 8: ACTION(spw_i64); break;     \
    default: ACTION(spw_i128); break;   \
  }

static void take_column(const spw_column *in, spw_column *out, const spw_i32 *selection, int32_t count) {
  const size_t stride = spw_column_stride(in);
#define SPW_TAKE(T)                                                                            \
  do {                                                                                         \
    const T *from = spw_at(in->values);                                                        \
    T *to = spw_at(out->values);                                                               \
    for (int32_t i = 0; i < count; i++) to[i] = from[(size_t)(uint32_t)selection[i] * stride]; \
  } while (0)
  SPW_BY_WIDTH(spw_width(in->type), SPW_TAKE)
  out->has_nulls = 0;
  if (out->nulls == 0) return;
  uint8_t *to = spw_at(out->nulls);
  if (in->nulls == 0) {
    memset(to, 0, (size_t)count);
    return;
  }
  const uint8_t *from = spw_at(in->nulls);
  uint8_t any = 0;
  for (int32_t i = 0; i < count; i++) {
    to[i] = from[(size_t)(uint32_t)selection[i] * stride];
    any |= to[i];
  }
  out->has_nulls = any;
}

int64_t SPW_FN(spw_take)(uint64_t in, uint64_t out, int32_t ncolumns, uint64_t selection, int32_t count) {
  if (ncolumns < 0 || count < 0 || (ncolumns > 0 && (!spw_aligned(in) || !spw_aligned(out))) ||
      (count > 0 && selection == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *from = spw_at(in);
  spw_column *to = spw_at(out);
  for (int32_t c = 0; c < ncolumns; c++) {
    if (spw_width(from[c].type) == 0 || to[c].type != from[c].type) return SPW_BAD_TYPE;
    if (from[c].values == 0 || to[c].values == 0 || (from[c].nulls != 0 && to[c].nulls == 0) ||
        from[c].kind == SPW_SCRATCH || to[c].kind != SPW_VECTOR) {
      return SPW_BAD_ARGUMENT;
    }
  }
  for (int32_t c = 0; c < ncolumns; c++) take_column(&from[c], &to[c], spw_at(selection), count);
  return count;
}

int64_t SPW_FN(spw_dictionary)(int32_t type, uint64_t dictionary, int32_t entries, uint64_t ids, uint64_t nulls,
                               int32_t rows, uint64_t out) {
  if (spw_width(type) == 0) return SPW_BAD_TYPE;
  if (entries < 0 || rows < 0 || (entries > 0 && dictionary == 0) || (rows > 0 && (ids == 0 || out == 0))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_i32 *id = spw_at(ids);
  const uint8_t *n = nulls == 0 ? &spw_not_null : spw_at(nulls);
  const size_t ns = nulls != 0;
  int outside = 0;
  for (int32_t i = 0; i < rows; i++) outside |= (n[(size_t)i * ns] == 0) & ((uint32_t)id[i] >= (uint32_t)entries);
  if (outside) return SPW_BAD_ARGUMENT;
#define SPW_DECODE(T)                                                                     \
  do {                                                                                    \
    const T *from = spw_at(dictionary);                                                   \
    T *to = spw_at(out);                                                                  \
    for (int32_t i = 0; i < rows; i++) to[i] = n[(size_t)i * ns] ? 0 : from[id[i]];       \
  } while (0)
  SPW_BY_WIDTH(spw_width(type), SPW_DECODE)
  return rows;
}

/* Whether offset and length lie inside the data. */
SPW_INLINE int inside(int32_t offset, int32_t length, uint64_t data_bytes) {
  return offset >= 0 && length >= 0 && (uint64_t)offset + (uint64_t)length <= data_bytes;
}

SPW_INLINE int bad_pieces(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes, int32_t rows,
                          uint64_t out) {
  return rows < 0 || (data == 0 && data_bytes != 0) || (rows > 0 && (offsets == 0 || lengths == 0 || out == 0));
}

int64_t SPW_FN(spw_strings)(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes, uint64_t nulls,
                            int32_t rows, uint64_t out) {
  if (bad_pieces(offsets, lengths, data, data_bytes, rows, out)) return SPW_BAD_ARGUMENT;
  const spw_i32 *offset = spw_at(offsets), *length = spw_at(lengths);
  const uint8_t *n = nulls == 0 ? &spw_not_null : spw_at(nulls), *bytes = spw_at(data);
  const size_t ns = nulls != 0;
  spw_string *to = spw_at(out);
  for (int32_t i = 0; i < rows; i++) {
    if (n[(size_t)i * ns]) {
      memset(&to[i], 0, sizeof to[i]);
    } else if (!inside(offset[i], length[i], data_bytes)) {
      return SPW_BAD_ARGUMENT;
    } else {
      spw_make_string(&to[i], length[i] == 0 ? NULL : bytes + offset[i], (uint32_t)length[i]);
    }
  }
  return rows;
}

int64_t SPW_FN(spw_decimals)(uint64_t offsets, uint64_t lengths, uint64_t data, uint64_t data_bytes, uint64_t nulls,
                             int32_t rows, uint64_t out) {
  if (bad_pieces(offsets, lengths, data, data_bytes, rows, out)) return SPW_BAD_ARGUMENT;
  const spw_i32 *offset = spw_at(offsets), *length = spw_at(lengths);
  const uint8_t *n = nulls == 0 ? &spw_not_null : spw_at(nulls), *bytes = spw_at(data);
  const size_t ns = nulls != 0;
  spw_i128 *to = spw_at(out);
  for (int32_t i = 0; i < rows; i++) {
    to[i] = 0;
    if (n[(size_t)i * ns]) continue;
    if (!inside(offset[i], length[i], data_bytes) || length[i] < 1 || length[i] > 16) return SPW_BAD_ARGUMENT;
    to[i] = spw_wide_from_bytes(bytes + offset[i], (uint32_t)length[i]);
  }
  return rows;
}

#define SPW_WIDEN(T)                                    \
  do {                                                  \
    const T *v = spw_at(in);                            \
    spw_i64 *to = spw_at(out);                          \
    for (int32_t i = 0; i < rows; i++) to[i] = v[i];    \
  } while (0)

int64_t SPW_FN(spw_widen)(int32_t from, uint64_t in, int32_t rows, uint64_t out) {
  if (rows < 0 || (rows > 0 && (in == 0 || out == 0))) return SPW_BAD_ARGUMENT;
  switch (from) {
    case SPW_I8: SPW_WIDEN(spw_i8); return rows;
    case SPW_I16: SPW_WIDEN(spw_i16); return rows;
    case SPW_I32: SPW_WIDEN(spw_i32); return rows;
    default: return SPW_BAD_TYPE;
  }
}
