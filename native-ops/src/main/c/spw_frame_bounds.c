/* Where frames begin and end. */
#include "spw_column.h"
#include "spw_frame.h"

/* Returns how many of the output rows have a partition. */
static int64_t bounds(const spw_frame *block) {
  const spw_window_spread *spread = spw_at(block->spread);
  const spw_i64 *lengths = spw_at(spread->lengths);
  spw_i64 *from = spw_at(block->from), *to = spw_at(block->to);
  int64_t row = 0, used = spread->used;
  for (int32_t g = spread->group; g < spread->groups && row < block->rows; g++, used = 0) {
    const int64_t start = block->place + row - used, end = start + lengths[g];
    for (; used < lengths[g] && row < block->rows; used++, row++) {
      const int64_t at = block->place + row;
      from[row] = (block->unbounded & 1) != 0 ? start : spw_frame_within(at + block->lower, start, end);
      const int64_t stop = (block->unbounded & 2) != 0 ? end : spw_frame_within(at + block->upper + 1, start, end);
      to[row] = stop < from[row] ? from[row] : stop;
    }
  }
  return row;
}

int64_t SPW_FN(spw_frame_bounds)(spw_frame *block) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || block->rows < 0 || block->rows > SPW_FRAME_MAX_ROWS ||
      !spw_aligned(block->from) || !spw_aligned(block->to) || block->unbounded < 0 || block->unbounded > 3 ||
      block->lower != (int32_t)block->lower || block->upper != (int32_t)block->upper || block->place < 0 ||
      !spw_aligned(block->spread)) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_window_spread *spread = spw_at(block->spread);
  if (spread->group < 0 || spread->group > spread->groups || spread->used < 0 || spread->used > block->place ||
      (spread->groups > 0 && spread->lengths == 0) || bounds(block) < block->rows) {
    return SPW_BAD_ARGUMENT;
  }
  return block->rows;
}

/* ---- by range ---- */

/* Below, equal or above 0 as the key comes before, with or behind the bound. */
static int order(const spw_frame_side *block, const spw_column *keys, int64_t i, const spw_column *limits, int64_t j) {
  const int null = spw_vector_null(keys, (uint64_t)i), null_bound = spw_vector_null(limits, (uint64_t)j);
  if (null || null_bound) {
    const int first = null_bound - null; /* -1: only the key is null */
    return block->nulls_last ? -first : first;
  }
  const void *a = spw_at(keys->values), *b = spw_at(limits->values);
  const int c = spw_less_at(keys->type, a, i, b, j) ? -1 : spw_less_at(keys->type, b, j, a, i);
  return block->descending ? -c : c;
}

static int64_t check(const spw_frame_side *block, int32_t row) {
  if (!spw_aligned((uint64_t)(uintptr_t)block) || !spw_aligned(block->keys) || !spw_aligned(block->bounds) ||
      !spw_aligned(block->from) || !spw_aligned(block->to) || block->chunk < 0 || block->at < 0 ||
      block->chunk_rows < 0 || block->first < 0 || block->count < 0 || block->rows < 0 ||
      block->rows > SPW_FRAME_MAX_ROWS || row < 0 || row > block->rows) {
    return SPW_BAD_ARGUMENT;
  }
  const spw_column *keys = spw_at(block->keys), *limits = spw_at(block->bounds);
  if (keys->type != limits->type || keys->type == SPW_STR || spw_width(keys->type) == 0) return SPW_BAD_TYPE;
  return keys->kind == SPW_VECTOR && limits->kind == SPW_VECTOR ? 0 : SPW_BAD_ARGUMENT;
}

int64_t SPW_FN(spw_frame_seek)(spw_frame_side *block, int32_t row) {
  const int64_t bad = check(block, row);
  if (bad != 0) return bad;
  const spw_column *keys = spw_at(block->keys), *limits = spw_at(block->bounds);
  spw_i64 *from = spw_at(block->from), *to = spw_at(block->to);
  int64_t steps = 0;
  for (int32_t i = row; i < block->rows; i++) {
    if (i < block->first || i - block->first >= block->count) return i;
    if (block->at < from[i]) block->at = from[i];
    for (; block->at < to[i]; block->at++) {
      const int64_t key = block->at - block->chunk;
      if (key < 0 || key >= block->chunk_rows || steps++ >= SPW_FRAME_STEPS) return i;
      const int c = order(block, keys, key, limits, i - block->first);
      if (block->upper ? c > 0 : c >= 0) break;
    }
    /* An upper side that lies before the partition is where it starts; a lower one ends with the upper. */
    if (block->upper) to[i] = block->at;
    else from[i] = block->at < to[i] ? block->at : to[i];
  }
  return block->rows;
}
