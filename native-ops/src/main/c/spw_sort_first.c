/* Leaving out, before they are stored, rows that cannot be among the first. */
#include "spw_column.h"
#include "spw_sort.h"

/* Ascends as the key does, its nulls and direction folded in; where a null's code is a value's too,
 * the code of either is the least or the greatest there is. */
SPW_INLINE uint64_t directed(const spw_sort_first *block, uint64_t code) { return block->descending ? ~code : code; }

/* Of at most 32 bits, moved up by one so that no null has it. */
SPW_INLINE uint64_t narrow(const spw_sort_first *block, uint32_t code) { return directed(block, (uint64_t)code + 1); }

SPW_INLINE uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The greatest code comes to the top again after the top was replaced. */
static void sift_down(spw_u64 *heap, int32_t count) {
  const uint64_t code = heap[0];
  int32_t at = 0;
  for (int32_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= code) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = code;
}

static void sift_up(spw_u64 *heap, int32_t at) {
  const uint64_t code = heap[at];
  while (at > 0 && heap[(at - 1) / 2] < code) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = code;
}

/* Whether a row of this code may be among the first; takes the code in if so. */
SPW_INLINE int stays(spw_sort_first *block, spw_u64 *heap, uint64_t code) {
  if (block->count < block->limit) {
    heap[block->count] = code;
    sift_up(heap, block->count++);
    return 1;
  }
  if (SPW_LIKELY(code > heap[0] || (block->exact && code == heap[0]))) return 0;
  if (code < heap[0]) {
    heap[0] = code;
    sift_down(heap, block->count);
  }
  return 1;
}

#define SPW_FIRST(T, CODE)                                                                              \
  do {                                                                                                  \
    const T *v = spw_at(column->values);                                                                \
    for (int32_t i = 0; i < block->rows; i++) {                                                         \
      const T *x = &v[(size_t)i * stride];                                                              \
      const uint64_t code = nulls[(size_t)i * null_stride] ? null_code : (CODE);                        \
      if (stays(block, heap, code)) selection[selected++] = i;                                          \
    }                                                                                                   \
  } while (0)

int64_t SPW_FN(spw_sort_first_select)(spw_sort_first *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || !spw_aligned(block->column) || block->limit < 1 ||
      !spw_aligned(block->heap) || block->count < 0 || block->count > block->limit || block->rows < 0 ||
      (block->rows > 0 && block->selection == 0)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *column = spw_at(block->column);
  if (spw_width(column->type) == 0) return SPW_BAD_TYPE;
  if (column->values == 0 || (column->kind != SPW_VECTOR && column->kind != SPW_CONSTANT)) return SPW_BAD_ARGUMENT;
  const size_t stride = spw_column_stride(column), null_stride = spw_column_null_stride(column);
  const uint8_t *nulls = spw_column_nulls(column);
  const uint64_t null_code = block->nulls_last ? ~UINT64_C(0) : 0;
  spw_u64 *heap = spw_at(block->heap);
  spw_i32 *selection = spw_at(block->selection);
  int32_t selected = 0;
  switch (column->type) {
    case SPW_BOOL: SPW_FIRST(spw_u8, narrow(block, *x)); break;
    case SPW_I8: SPW_FIRST(spw_u8, narrow(block, *x ^ 0x80u)); break;
    case SPW_I16: SPW_FIRST(spw_i16, narrow(block, ((uint32_t)*x ^ 0x8000u) & 0xffff)); break;
    case SPW_I32: SPW_FIRST(spw_u32, narrow(block, *x ^ UINT32_C(0x80000000))); break;
    case SPW_F32: SPW_FIRST(spw_f32, narrow(block, spw_sort_f32_code(bits_of(*x)))); break;
    case SPW_I64: SPW_FIRST(spw_u64, directed(block, *x ^ UINT64_C(1) << 63)); break;
    case SPW_F64: SPW_FIRST(spw_u64, directed(block, spw_sort_f64_code(*x))); break;
    case SPW_I128: SPW_FIRST(spw_i128, directed(block, spw_sort_wide_code(*x))); break;
    default: SPW_FIRST(spw_string, directed(block, spw_sort_string_code(x, 0)));
  }
  return selected;
}
