/* The reading side of the exchange. Nothing in an image is trusted: it comes from another process. */
#include "spw_exchange.h"

typedef struct piece {
  uint8_t *values;
  uint8_t *nulls; /* NULL: none */
} piece;

/* The next column of an image; 0 if it would lie outside. */
static int next_piece(uint8_t *image, uint64_t bytes, uint64_t rows, int32_t width, int nullable, uint64_t *at,
                      piece *out) {
  const uint64_t values = spw_pad8(rows * (uint64_t)width), nulls = nullable ? spw_pad8(rows) : 0;
  if (values + nulls > bytes - *at) return 0;
  out->values = image + *at;
  out->nulls = nullable ? image + *at + values : NULL;
  *at += values + nulls;
  return 1;
}

SPW_INLINE int is_nullable(const uint8_t *image, int32_t column) {
  return image[SPW_IMAGE_HEADER + column / 8] >> column % 8 & 1;
}

/* Rows of an image, or 0 if its header, or the columns' sizes, contradict its size. */
static uint32_t checked_rows(const spw_image *source, const spw_column *columns, int32_t ncolumns, uint64_t *fixed) {
  if (!spw_aligned(source->address) || source->bytes < spw_image_start(ncolumns) || source->bytes > INT32_MAX) return 0;
  uint8_t *image = spw_at(source->address);
  uint32_t header[2];
  memcpy(header, image, sizeof header);
  if (header[0] != source->bytes || header[1] > INT32_MAX) return 0;
  uint64_t at = spw_image_start(ncolumns);
  piece unused;
  for (int32_t c = 0; c < ncolumns; c++) {
    if (!next_piece(image, source->bytes, header[1], spw_width(columns[c].type), is_nullable(image, c), &at, &unused)) {
      return 0;
    }
  }
  *fixed = at;
  return header[1];
}

/* Null bytes and truth values become 0 or 1, offsets of strings addresses. */
static int settle(const spw_image *source, int32_t type, piece p, uint32_t rows, uint64_t fixed) {
  if (p.nulls != NULL) {
    for (uint32_t i = 0; i < rows; i++) p.nulls[i] = p.nulls[i] != 0;
  }
  if (type == SPW_BOOL) {
    for (uint32_t i = 0; i < rows; i++) p.values[i] = p.values[i] != 0;
  }
  if (type != SPW_STR) return 1;
  spw_string *s = (spw_string *)p.values;
  for (uint32_t i = 0; i < rows; i++) {
    if (p.nulls != NULL && p.nulls[i]) {
      memset(&s[i], 0, sizeof s[i]);
    } else if (s[i].length > SPW_INLINE_BYTES) {
      const uint64_t offset = s[i].tail.address;
      if (offset < fixed || offset > source->bytes || s[i].length > source->bytes - offset) return 0;
      s[i].tail.address = source->address + offset;
    }
  }
  return 1;
}

static void copy_piece(const spw_column *out, piece p, uint32_t rows, uint32_t row) {
  const size_t width = (size_t)spw_width(out->type);
  memcpy((uint8_t *)spw_at(out->values) + (size_t)row * width, p.values, (size_t)rows * width);
  uint8_t *nulls = (uint8_t *)spw_at(out->nulls) + row;
  if (p.nulls != NULL) {
    memcpy(nulls, p.nulls, rows);
  } else {
    memset(nulls, 0, rows);
  }
}

/* Reads one image into rows [row, row + its rows) of the columns, or points them to it. */
static int read_image(const spw_image *source, spw_column *columns, int32_t ncolumns, uint32_t rows, uint64_t fixed,
                      uint32_t row, int only) {
  uint8_t *image = spw_at(source->address);
  uint64_t at = spw_image_start(ncolumns);
  for (int32_t c = 0; c < ncolumns; c++) {
    piece p;
    next_piece(image, source->bytes, rows, spw_width(columns[c].type), is_nullable(image, c), &at, &p);
    if (!settle(source, columns[c].type, p, rows, fixed)) return 0;
    if (only) {
      columns[c].values = (uint64_t)(uintptr_t)p.values;
      columns[c].nulls = (uint64_t)(uintptr_t)p.nulls;
    } else {
      copy_piece(&columns[c], p, rows, row);
    }
    columns[c].has_nulls |= p.nulls != NULL;
  }
  return 1;
}

int64_t SPW_FN(spw_exchange_read_images)(spw_exchange_read *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block)) return SPW_BAD_ARGUMENT;
  const int32_t ncolumns = block->ncolumns;
  if (ncolumns < 0 || ncolumns > SPW_EXCHANGE_MAX_COLUMNS || block->nimages < 1 || !spw_aligned(block->images) ||
      (ncolumns > 0 && !spw_aligned(block->columns))) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_image *images = spw_at(block->images);
  spw_column *columns = spw_at(block->columns);
  const int only = block->nimages == 1;
  for (int32_t c = 0; c < ncolumns; c++) {
    if (spw_width(columns[c].type) == 0) return SPW_BAD_TYPE;
    if (!only && (columns[c].values == 0 || columns[c].nulls == 0)) return SPW_BAD_ARGUMENT;
    columns[c].has_nulls = 0;
  }
  int64_t row = 0;
  for (int32_t i = 0; i < block->nimages; i++) {
    uint64_t fixed = 0;
    const uint32_t rows = checked_rows(&images[i], columns, ncolumns, &fixed);
    if (rows == 0 || (!only && row + rows > block->capacity)) return SPW_BAD_IMAGE;
    if (!read_image(&images[i], columns, ncolumns, rows, fixed, (uint32_t)row, only)) return SPW_BAD_IMAGE;
    row += rows;
  }
  for (int32_t c = 0; c < ncolumns; c++) {
    if (!columns[c].has_nulls) columns[c].nulls = 0;
  }
  return row;
}
