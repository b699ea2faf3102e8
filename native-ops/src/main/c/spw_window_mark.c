/* Where partitions and peers start. */
#include "spw_column.h"
#include "spw_window.h"

/* Not-null values; floats as Spark orders them. */
static int same(int32_t type, const void *a, int64_t i, const void *b, int64_t j) {
  switch (type) {
    case SPW_BOOL:
    case SPW_I8: return ((const spw_u8 *)a)[i] == ((const spw_u8 *)b)[j];
    case SPW_I16: return ((const spw_i16 *)a)[i] == ((const spw_i16 *)b)[j];
    case SPW_I32: return ((const spw_i32 *)a)[i] == ((const spw_i32 *)b)[j];
    case SPW_I64: return ((const spw_i64 *)a)[i] == ((const spw_i64 *)b)[j];
    case SPW_F32: {
      const float x = ((const spw_f32 *)a)[i], y = ((const spw_f32 *)b)[j];
      return x == y || (x != x && y != y);
    }
    case SPW_F64: {
      const double x = ((const spw_f64 *)a)[i], y = ((const spw_f64 *)b)[j];
      return x == y || (x != x && y != y);
    }
    case SPW_I128: return ((const spw_i128 *)a)[i] == ((const spw_i128 *)b)[j];
    default: return spw_string_equal((const spw_string *)a + i, 0, (const spw_string *)b + j, 0);
  }
}

static int differs(const spw_column *a, int64_t i, const spw_column *b, int64_t j) {
  const int null = spw_vector_null(a, (uint64_t)i);
  if (null != spw_vector_null(b, (uint64_t)j)) return 1;
  return !null && !same(a->type, spw_at(a->values), i, spw_at(b->values), j);
}

static int64_t check_keys(const spw_window *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->rows < 0 || block->rows > SPW_WINDOW_MAX_ROWS ||
      block->nkeys < 0 || block->npartition < 0 || block->npartition > block->nkeys ||
      (block->nkeys > 0 && (!spw_aligned(block->keys) || !spw_aligned(block->last)))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *keys = spw_at(block->keys), *last = spw_at(block->last);
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (spw_width(keys[k].type) == 0 || last[k].type != keys[k].type) return SPW_BAD_TYPE;
    if (keys[k].kind != SPW_VECTOR || keys[k].values == 0 || last[k].kind != SPW_VECTOR || last[k].values == 0 ||
        last[k].nulls == 0) {
      return SPW_BAD_ARGUMENT;
    }
  }
  return 0;
}

int64_t SPW_FN(spw_window_mark)(spw_window *block) {
  const int64_t bad = check_keys(block);
  if (bad != 0) return bad;
  if (block->marks == 0) return SPW_BAD_ARGUMENT;
  spw_u8 *marks = spw_at(block->marks);
  const spw_column *keys = spw_at(block->keys), *last = spw_at(block->last);
  const int32_t rows = block->rows;
  memset(marks, 0, (size_t)rows);
  if (rows > 0 && !block->has_last) marks[0] = SPW_WINDOW_NEW_PARTITION;
  for (int32_t k = 0; k < block->nkeys; k++) {
    const uint8_t mark = k < block->npartition ? SPW_WINDOW_NEW_PARTITION : SPW_WINDOW_NEW_PEERS;
    const spw_column *key = &keys[k];
    if (rows > 0 && block->has_last && differs(key, 0, &last[k], 0)) marks[0] |= mark;
    for (int32_t i = 1; i < rows; i++) {
      if (differs(key, i, key, i - 1)) marks[i] |= mark;
    }
  }
  return rows;
}

int64_t SPW_FN(spw_window_keep)(spw_window *block) {
  const int64_t bad = check_keys(block);
  if (bad != 0) return bad;
  if (block->rows < 1 || block->text_bytes < 0 || (block->text_bytes > 0 && block->text == 0)) return SPW_BAD_ARGUMENT;
  const spw_column *keys = spw_at(block->keys), *last = spw_at(block->last);
  const int64_t row = block->rows - 1;
  uint64_t need = 0;
  for (int32_t k = 0; k < block->nkeys; k++) {
    if (keys[k].type != SPW_STR || spw_vector_null(&keys[k], (uint64_t)row)) continue;
    const uint32_t length = ((const spw_string *)spw_at(keys[k].values))[row].length;
    if (length > SPW_INLINE_BYTES) need += length;
  }
  if (need > (uint64_t)block->text_bytes) {
    if (need > INT32_MAX) return SPW_TOO_LONG; /* no buffer would help */
    block->need = need;
    return SPW_NEEDS_BYTES;
  }
  uint8_t *text = spw_at(block->text);
  for (int32_t k = 0; k < block->nkeys; k++) {
    const size_t width = (size_t)spw_width(keys[k].type);
    const uint8_t *from = (const uint8_t *)spw_at(keys[k].values) + (size_t)row * width;
    const int null = spw_vector_null(&keys[k], (uint64_t)row);
    *(spw_u8 *)spw_at(last[k].nulls) = (uint8_t)null;
    if (null) continue;
    memcpy(spw_at(last[k].values), from, width);
    if (keys[k].type != SPW_STR) continue;
    spw_string *copy = spw_at(last[k].values);
    if (copy->length <= SPW_INLINE_BYTES) continue;
    const uint32_t length = copy->length;
    memcpy(text, spw_at(copy->tail.address), length);
    copy->tail.address = (uint64_t)(uintptr_t)text;
    text += length;
  }
  block->has_last = 1;
  return 0;
}
