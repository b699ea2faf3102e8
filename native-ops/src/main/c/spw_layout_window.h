/* The window functions' part of spw_layout.h, in the order of spw_abi_window.h. */
#ifndef SPW_LAYOUT_WINDOW_H
#define SPW_LAYOUT_WINDOW_H

#include "spw_layout_table.h"

static const int32_t spw_layout_window[] = {
    SPW_SIZE(spw_window_fn), SPW_FIELD(spw_window_fn, values), SPW_FIELD(spw_window_fn, nulls),
    SPW_FIELD(spw_window_fn, state), SPW_FIELD(spw_window_fn, seen), SPW_FIELD(spw_window_fn, more),
    SPW_FIELD(spw_window_fn, op),
    SPW_FIELD(spw_window_fn, type), SPW_FIELD(spw_window_fn, out_type), SPW_FIELD(spw_window_fn, input),
    SPW_FIELD(spw_window_fn, scope), SPW_FIELD(spw_window_fn, ignore_nulls),

    SPW_SIZE(spw_window), SPW_FIELD(spw_window, keys), SPW_FIELD(spw_window, inputs),
    SPW_FIELD(spw_window, functions), SPW_FIELD(spw_window, last), SPW_FIELD(spw_window, text),
    SPW_FIELD(spw_window, marks), SPW_FIELD(spw_window, lengths), SPW_FIELD(spw_window, open),
    SPW_FIELD(spw_window, ended), SPW_FIELD(spw_window, need), SPW_FIELD(spw_window, place),
    SPW_FIELD(spw_window, text_bytes),
    SPW_FIELD(spw_window, npartition), SPW_FIELD(spw_window, nkeys), SPW_FIELD(spw_window, ninputs),
    SPW_FIELD(spw_window, nfunctions), SPW_FIELD(spw_window, rows), SPW_FIELD(spw_window, has_last),
    SPW_FIELD(spw_window, reserved),

    SPW_SIZE(spw_window_spread), SPW_FIELD(spw_window_spread, lengths), SPW_FIELD(spw_window_spread, selection),
    SPW_FIELD(spw_window_spread, used), SPW_FIELD(spw_window_spread, groups), SPW_FIELD(spw_window_spread, group)};

#endif
