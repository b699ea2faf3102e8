/*
 * The exchange's kernels. See spw_abi_exchange.h.
 */
#ifndef SPW_EXCHANGE_H
#define SPW_EXCHANGE_H

#include "spw_base.h"

#define SPW_EXCHANGE_MAX_COLUMNS 4096
#define SPW_IMAGE_HEADER 8

/* Up to the next multiple of 8. */
SPW_INLINE uint64_t spw_pad8(uint64_t bytes) { return (bytes + 7) & ~UINT64_C(7); }

/* Where an image's first column starts. */
SPW_INLINE uint64_t spw_image_start(int32_t ncolumns) {
  return SPW_IMAGE_HEADER + spw_pad8(((uint64_t)(uint32_t)ncolumns + 7) / 8);
}

#define SPW_DECLARE_EXCHANGE(suffix)                                                                        \
  int64_t spw_exchange_hash##suffix(uint64_t columns, int32_t ncolumns, int32_t rows, int32_t partitions,   \
                                    uint64_t out);                                                          \
  int64_t spw_exchange_append##suffix(spw_exchange *block, int32_t start);                                  \
  int64_t spw_exchange_sort##suffix(spw_exchange *block);                                                   \
  int64_t spw_exchange_image##suffix(spw_exchange *block, int32_t start, int32_t end);                      \
  int64_t spw_exchange_read_images##suffix(spw_exchange_read *block);
SPW_LEVELS(SPW_DECLARE_EXCHANGE)

#endif
