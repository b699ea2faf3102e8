/* The sort's part of spw_layout.h, in the order of spw_abi_sort.h. */
#ifndef SPW_LAYOUT_SORT_H
#define SPW_LAYOUT_SORT_H

#include "spw_layout_table.h"

static const int32_t spw_layout_sort[] = {
    SPW_SIZE(spw_sort_key), SPW_FIELD(spw_sort_key, column), SPW_FIELD(spw_sort_key, descending),
    SPW_FIELD(spw_sort_key, nulls_last), SPW_FIELD(spw_sort_key, nullable),

    SPW_SIZE(spw_sort_entry), SPW_FIELD(spw_sort_entry, prefix), SPW_FIELD(spw_sort_entry, handle),

    SPW_SIZE(spw_sort_run), SPW_FIELD(spw_sort_run, entries), SPW_FIELD(spw_sort_run, page),
    SPW_FIELD(spw_sort_run, next), SPW_FIELD(spw_sort_run, count), SPW_FIELD(spw_sort_run, prefix),
    SPW_FIELD(spw_sort_run, row), SPW_FIELD(spw_sort_run, row_page), SPW_FIELD(spw_sort_run, ended),
    SPW_FIELD(spw_sort_run, reserved),

    SPW_SIZE(spw_sort), SPW_FIELD(spw_sort, layout), SPW_FIELD(spw_sort, keys), SPW_FIELD(spw_sort, strings),
    SPW_FIELD(spw_sort, partition), SPW_FIELD(spw_sort, runs), SPW_FIELD(spw_sort, tree),
    SPW_FIELD(spw_sort, ncolumns), SPW_FIELD(spw_sort, row_width), SPW_FIELD(spw_sort, nkeys),
    SPW_FIELD(spw_sort, nstrings), SPW_FIELD(spw_sort, nruns), SPW_FIELD(spw_sort, need_run),
    SPW_FIELD(spw_sort, need),

    SPW_SIZE(spw_sort_first), SPW_FIELD(spw_sort_first, column), SPW_FIELD(spw_sort_first, heap),
    SPW_FIELD(spw_sort_first, selection), SPW_FIELD(spw_sort_first, descending),
    SPW_FIELD(spw_sort_first, nulls_last), SPW_FIELD(spw_sort_first, exact), SPW_FIELD(spw_sort_first, limit),
    SPW_FIELD(spw_sort_first, count), SPW_FIELD(spw_sort_first, rows)};

#endif
