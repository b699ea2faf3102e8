/* The exchange's kernels: batches in, images out by partition, and columns again. */
#include "fuzz.h"
#include "spw_exchange.h"

typedef struct exchange_kernels {
  int64_t (*hash)(uint64_t, int32_t, int32_t, int32_t, uint64_t);
  int64_t (*append)(spw_exchange *, int32_t);
  int64_t (*sort)(spw_exchange *);
  int64_t (*image)(spw_exchange *, int32_t, int32_t);
  int64_t (*read_images)(spw_exchange_read *);
} exchange_kernels;

#define SPW_EXCHANGE_LEVEL(suffix)                                                                   \
  {spw_exchange_hash##suffix, spw_exchange_append##suffix, spw_exchange_sort##suffix,                \
   spw_exchange_image##suffix, spw_exchange_read_images##suffix},
static const exchange_kernels exchange_levels[] = {SPW_LEVELS(SPW_EXCHANGE_LEVEL)};

#define MAX_COLUMNS 12
#define MAX_BATCHES 6
#define MAX_ROWS 150
#define MAX_PARTITIONS 17
#define MAX_CHUNKS 40

/* What was appended, in order, since the store was emptied. */
typedef struct appended {
  int batch;
  int32_t row;
  int32_t pid;
} appended;

typedef struct world {
  arena memory;
  const exchange_kernels *k;
  int32_t ncolumns;
  int32_t types[MAX_COLUMNS];
  spw_column columns[MAX_BATCHES][MAX_COLUMNS];
  spw_exchange x;
  size_t chunk_bytes;
  uint64_t *chunks;
  uint32_t *counts;
  appended log[MAX_BATCHES * MAX_ROWS];
  int32_t logged;
} world;

static int same(const spw_column *a, int64_t i, const spw_column *b, int64_t j) {
  if (null_at(a, i) || null_at(b, j)) return null_at(a, i) == null_at(b, j);
  if (a->type == SPW_BOOL) return *(const uint8_t *)value_at(a, i) == *(const uint8_t *)value_at(b, j);
  if (a->type != SPW_STR) return memcmp(value_at(a, i), value_at(b, j), (size_t)spw_width(a->type)) == 0;
  const spw_str x = str_value(value_at(a, i)), y = str_value(value_at(b, j));
  return x.length == y.length && str_order(&x, &y) == 0;
}

/* The hash of many rows is that of each alone; a null adds nothing. */
static void hashes(rng *r, world *w, const spw_column *columns, int32_t rows, int32_t *pids, int32_t partitions) {
  const int32_t keys = (int32_t)rng_below(r, (uint64_t)w->ncolumns + 1);
  CHECK(w->k->hash((uint64_t)(uintptr_t)columns, keys, rows, partitions, (uint64_t)(uintptr_t)pids) == rows);
  for (int32_t i = 0; i < rows; i++) CHECK(pids[i] >= 0 && pids[i] < partitions);
  const int32_t row = (int32_t)rng_below(r, (uint64_t)rows);
  spw_column one[MAX_COLUMNS];
  int32_t kept = 0;
  for (int32_t c = 0; c < keys; c++) {
    if (null_at(&columns[c], row)) continue;
    one[kept] = columns[c];
    one[kept].kind = SPW_CONSTANT;
    one[kept].nulls = 0;
    one[kept].values = (uint64_t)(uintptr_t)value_at(&columns[c], row);
    kept++;
  }
  int32_t pid = -1;
  CHECK(w->k->hash((uint64_t)(uintptr_t)one, kept, 1, partitions, (uint64_t)(uintptr_t)&pid) == 1);
  CHECK(pid == pids[row]);
  CHECK(w->k->hash((uint64_t)(uintptr_t)columns, keys, rows, 0, (uint64_t)(uintptr_t)pids) == SPW_BAD_ARGUMENT);
}

static void out_columns(world *w, spw_column *out, int32_t capacity) {
  for (int32_t c = 0; c < w->ncolumns; c++) {
    memset(&out[c], 0, sizeof out[c]);
    out[c].type = w->types[c];
    out[c].values = arena_address(&w->memory, (size_t)capacity * (size_t)spw_width(w->types[c]));
    out[c].nulls = arena_address(&w->memory, (size_t)capacity);
  }
}

/* Damage is refused, or read as other values; never is anything read or written outside. */
static void read_damaged(rng *r, world *w, const spw_image *image) {
  const size_t bytes = (size_t)image->bytes;
  uint8_t *copy = arena_take(&w->memory, bytes);
  memcpy(copy, spw_at(image->address), bytes);
  for (int hits = 0; hits < 4; hits++) copy[rng_below(r, bytes)] ^= (uint8_t)(1 << rng_below(r, 8));
  spw_image damaged[2] = {{(uint64_t)(uintptr_t)copy, bytes}, {0, 0}};
  if (rng_one_in(r, 4)) damaged[0].bytes = bytes & ~(size_t)7 & (size_t)rng_next(r);
  spw_column out[MAX_COLUMNS];
  out_columns(w, out, MAX_ROWS);
  spw_exchange_read block = {(uint64_t)(uintptr_t)damaged, (uint64_t)(uintptr_t)out, w->ncolumns, 1, MAX_ROWS, 0};
  const int64_t rows = w->k->read_images(&block);
  CHECK(rows >= 1 || rows == SPW_BAD_IMAGE);
  uint8_t sum = 0;
  for (int32_t c = 0; rows > 0 && c < w->ncolumns; c++) {
    for (int64_t i = 0; i < rows; i++) {
      if (null_at(&out[c], i)) continue;
      if (w->types[c] == SPW_BOOL) CHECK(*(const uint8_t *)value_at(&out[c], i) <= 1);
      if (w->types[c] != SPW_STR) continue;
      const spw_str s = str_value(value_at(&out[c], i));
      for (uint32_t j = 0; j < s.length; j++) sum ^= str_bytes(&s)[j];
    }
  }
  copy[0] ^= sum; /* so that the reads are made */
}

/* Reads images of rows log[order[first]...] and compares. */
static void read_back(rng *r, world *w, const spw_image *images, int32_t nimages, const int32_t *order, int32_t rows) {
  spw_column out[MAX_COLUMNS];
  const int32_t capacity = rows + (int32_t)rng_below(r, 3);
  out_columns(w, out, capacity);
  if (nimages > 1 && rows > 1) {
    spw_exchange_read tight = {(uint64_t)(uintptr_t)images, (uint64_t)(uintptr_t)out, w->ncolumns, nimages, rows - 1, 0};
    spw_image copies[64];
    for (int32_t i = 0; i < nimages; i++) {
      copies[i].bytes = images[i].bytes;
      copies[i].address = arena_address(&w->memory, (size_t)images[i].bytes);
      memcpy(spw_at(copies[i].address), spw_at(images[i].address), (size_t)images[i].bytes);
    }
    tight.images = (uint64_t)(uintptr_t)copies;
    CHECK(w->k->read_images(&tight) == SPW_BAD_IMAGE);
    out_columns(w, out, capacity);
  }
  spw_exchange_read block = {(uint64_t)(uintptr_t)images, (uint64_t)(uintptr_t)out, w->ncolumns, nimages, capacity, 0};
  CHECK(w->k->read_images(&block) == rows);
  for (int32_t c = 0; c < w->ncolumns; c++) {
    int any = 0;
    for (int32_t i = 0; i < rows; i++) {
      const appended *a = &w->log[order[i]];
      CHECK(same(&w->columns[a->batch][c], a->row, &out[c], i));
      any |= null_at(&out[c], i);
    }
    CHECK((out[c].nulls != 0) == any);
  }
}

/* Hands everything out, and empties the store. */
static void flush(rng *r, world *w) {
  spw_exchange *x = &w->x;
  x->refs = arena_address(&w->memory, (size_t)x->stored * 4);
  CHECK(w->k->sort(x) == x->stored);
  const uint32_t *refs = spw_at(x->refs);
  int32_t start = 0;
  for (int32_t p = 0; p < x->npartitions; p++) {
    const int32_t end = (int32_t)w->counts[p];
    spw_image images[64];
    int32_t nimages = 0, first = start, order[MAX_BATCHES * MAX_ROWS], rows = 0;
    for (int32_t i = 0; i < w->logged; i++) {
      if (w->log[i].pid == p) order[rows++] = i;
    }
    CHECK(end - start == rows);
    for (int32_t i = 0; i < rows; i++) CHECK(refs[start + i] == (uint32_t)order[i]);
    while (first < end) {
      x->image_capacity = rng_below(r, 700);
      x->image = arena_address(&w->memory, (size_t)x->image_capacity);
      int64_t written = w->k->image(x, first, end);
      if (written == SPW_NEEDS_BYTES) {
        CHECK(x->need > x->image_capacity);
        x->image_capacity = x->need;
        x->image = arena_address(&w->memory, (size_t)x->image_capacity);
        written = w->k->image(x, first, end);
      }
      CHECK(written >= 1 && first + written <= end);
      CHECK(x->image_bytes > 0 && (uint64_t)x->image_bytes <= x->image_capacity && x->image_bytes % 8 == 0);
      images[nimages++] = (spw_image){x->image, (uint64_t)x->image_bytes};
      read_damaged(r, w, &images[nimages - 1]);
      first += (int32_t)written;
      if (nimages == 64 || first == end) {
        const int32_t from = start - (end - rows); /* what of order was read before */
        read_back(r, w, images, nimages, order + from, first - start);
        start = first;
        nimages = 0;
      }
    }
  }
  CHECK(start == x->stored);
  arena_check(&w->memory);
  x->stored = 0;
  x->nchunks = 0;
  w->logged = 0;
  memset(w->counts, 0, (size_t)x->npartitions * 4);
  spw_exchange_column *layout = spw_at(x->layout);
  for (int32_t c = 0; c < w->ncolumns; c++) layout[c].has_nulls = 0;
}

static void set_up(rng *r, world *w) {
  w->ncolumns = (int32_t)rng_below(r, MAX_COLUMNS + 1);
  spw_exchange *x = &w->x;
  x->ncolumns = w->ncolumns;
  x->npartitions = (int32_t)(1 + rng_below(r, MAX_PARTITIONS));
  x->chunk_bits = (int32_t)(3 + rng_below(r, 5));
  const size_t chunk_rows = (size_t)1 << x->chunk_bits;
  spw_exchange_column *layout = arena_take(&w->memory, sizeof *layout * (size_t)w->ncolumns);
  w->chunk_bytes = chunk_rows * 4;
  for (int32_t c = 0; c < w->ncolumns; c++) {
    w->types[c] = (int32_t)(1 + rng_below(r, 9));
    layout[c].type = w->types[c];
    layout[c].has_nulls = 0;
    layout[c].values = (uint32_t)w->chunk_bytes;
    w->chunk_bytes += chunk_rows * (size_t)spw_width(w->types[c]);
    layout[c].nulls = (uint32_t)w->chunk_bytes;
    w->chunk_bytes += chunk_rows;
  }
  x->layout = (uint64_t)(uintptr_t)layout;
  w->chunks = arena_take(&w->memory, sizeof(uint64_t) * MAX_CHUNKS);
  x->chunks = (uint64_t)(uintptr_t)w->chunks;
  w->counts = arena_take(&w->memory, sizeof(uint32_t) * (size_t)x->npartitions);
  memset(w->counts, 0, sizeof(uint32_t) * (size_t)x->npartitions);
  x->counts = (uint64_t)(uintptr_t)w->counts;
}

static void append_all(rng *r, world *w, int batch, int32_t rows, const int32_t *pids) {
  spw_exchange *x = &w->x;
  x->columns = (uint64_t)(uintptr_t)w->columns[batch];
  x->pids = (uint64_t)(uintptr_t)pids;
  x->rows = rows;
  for (int32_t start = 0; start < rows;) {
    const int64_t stored = w->k->append(x, start);
    if (stored == SPW_NEEDS_BYTES) {
      CHECK(x->need > x->text_end - x->text);
      const size_t room = (size_t)x->need + (size_t)rng_below(r, 3) * 40;
      x->text = arena_address(&w->memory, room);
      x->text_end = x->text + room;
    } else if (stored == 0) {
      if (x->nchunks == MAX_CHUNKS || (x->stored > 0 && rng_one_in(r, 12))) {
        flush(r, w);
      }
      w->chunks[x->nchunks++] = arena_address(&w->memory, w->chunk_bytes);
    } else {
      CHECK(stored >= 1 && start + stored <= rows);
      for (int32_t i = 0; i < stored; i++) w->log[w->logged++] = (appended){batch, start + i, pids[start + i]};
      start += (int32_t)stored;
    }
    arena_check(&w->memory);
  }
}

void fuzz_exchange(rng *r, const kernels *levels, int nlevels) {
  (void)levels;
  static world w;
  memset(&w, 0, sizeof w);
  w.k = &exchange_levels[rng_below(r, (uint64_t)nlevels)];
  set_up(r, &w);
  const int batches = (int)(1 + rng_below(r, MAX_BATCHES));
  for (int b = 0; b < batches; b++) {
    const int32_t rows = (int32_t)(1 + rng_below(r, MAX_ROWS));
    for (int32_t c = 0; c < w.ncolumns; c++) {
      fuzz_column(r, &w.memory, &w.columns[b][c], w.types[c], rng_one_in(r, 5) ? SPW_CONSTANT : SPW_VECTOR, rows,
                  (int)rng_below(r, 4));
    }
    int32_t *pids = arena_take(&w.memory, (size_t)rows * 4);
    hashes(r, &w, w.columns[b], rows, pids, w.x.npartitions);
    if (rng_one_in(r, 3)) memset(pids, 0, (size_t)rows * 4); /* all in one */
    append_all(r, &w, b, rows, pids);
  }
  flush(r, &w);
  w.x.columns = (uint64_t)(uintptr_t)w.columns[0];
  arena_free(&w.memory);
}
