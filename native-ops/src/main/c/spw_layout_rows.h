/* The row store's part of spw_layout.h, in the order of spw_abi_rows.h. */
#ifndef SPW_LAYOUT_ROWS_H
#define SPW_LAYOUT_ROWS_H

#include "spw_layout_table.h"

static const int32_t spw_layout_rows[] = {
    SPW_SIZE(spw_rows), SPW_FIELD(spw_rows, columns), SPW_FIELD(spw_rows, layout), SPW_FIELD(spw_rows, partitions),
    SPW_FIELD(spw_rows, selection), SPW_FIELD(spw_rows, hashes), SPW_FIELD(spw_rows, ncolumns),
    SPW_FIELD(spw_rows, row_width), SPW_FIELD(spw_rows, partition_bits), SPW_FIELD(spw_rows, hash_shift),
    SPW_FIELD(spw_rows, rows), SPW_FIELD(spw_rows, need_partition), SPW_FIELD(spw_rows, rows_done),
    SPW_FIELD(spw_rows, need),

    SPW_SIZE(spw_rows_out), SPW_FIELD(spw_rows_out, layout), SPW_FIELD(spw_rows_out, partitions),
    SPW_FIELD(spw_rows_out, handles), SPW_FIELD(spw_rows_out, page), SPW_FIELD(spw_rows_out, picks),
    SPW_FIELD(spw_rows_out, out), SPW_FIELD(spw_rows_out, ncolumns), SPW_FIELD(spw_rows_out, row_width),
    SPW_FIELD(spw_rows_out, npartitions), SPW_FIELD(spw_rows_out, nout), SPW_FIELD(spw_rows_out, first),
    SPW_FIELD(spw_rows_out, rows)};

#endif
