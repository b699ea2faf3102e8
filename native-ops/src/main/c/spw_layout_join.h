/* Hash joins' part of spw_layout.h, in the order of spw_abi_join.h. */
#ifndef SPW_LAYOUT_JOIN_H
#define SPW_LAYOUT_JOIN_H

#include "spw_layout_table.h"

static const int32_t spw_layout_join[] = {
    SPW_SIZE(spw_join), SPW_FIELD(spw_join, keys), SPW_FIELD(spw_join, hashes), SPW_FIELD(spw_join, keyless),
    SPW_FIELD(spw_join, key_layout), SPW_FIELD(spw_join, partitions), SPW_FIELD(spw_join, absent),
    SPW_FIELD(spw_join, states), SPW_FIELD(spw_join, deferred), SPW_FIELD(spw_join, pair_rows),
    SPW_FIELD(spw_join, pair_builds), SPW_FIELD(spw_join, chain), SPW_FIELD(spw_join, need),
    SPW_FIELD(spw_join, nkeys), SPW_FIELD(spw_join, row_width), SPW_FIELD(spw_join, link_offset),
    SPW_FIELD(spw_join, partition_bits), SPW_FIELD(spw_join, hash_shift), SPW_FIELD(spw_join, mode),
    SPW_FIELD(spw_join, rows), SPW_FIELD(spw_join, row), SPW_FIELD(spw_join, npairs), SPW_FIELD(spw_join, max_pairs),
    SPW_FIELD(spw_join, ndeferred), SPW_FIELD(spw_join, need_partition)};

#endif
