/* The moving frames' part of spw_layout.h, in the order of spw_abi_frame.h. */
#ifndef SPW_LAYOUT_FRAME_H
#define SPW_LAYOUT_FRAME_H

#include "spw_layout_table.h"

static const int32_t spw_layout_frame[] = {
    SPW_SIZE(spw_frame_fn), SPW_FIELD(spw_frame_fn, values), SPW_FIELD(spw_frame_fn, nulls),
    SPW_FIELD(spw_frame_fn, seen), SPW_FIELD(spw_frame_fn, nth), SPW_FIELD(spw_frame_fn, op),
    SPW_FIELD(spw_frame_fn, type), SPW_FIELD(spw_frame_fn, out_type), SPW_FIELD(spw_frame_fn, input),
    SPW_FIELD(spw_frame_fn, ignore_nulls), SPW_FIELD(spw_frame_fn, reserved),

    SPW_SIZE(spw_frame), SPW_FIELD(spw_frame, spread), SPW_FIELD(spw_frame, inputs), SPW_FIELD(spw_frame, functions),
    SPW_FIELD(spw_frame, from), SPW_FIELD(spw_frame, to), SPW_FIELD(spw_frame, place), SPW_FIELD(spw_frame, chunk),
    SPW_FIELD(spw_frame, lower), SPW_FIELD(spw_frame, upper), SPW_FIELD(spw_frame, unbounded),
    SPW_FIELD(spw_frame, ninputs), SPW_FIELD(spw_frame, nfunctions), SPW_FIELD(spw_frame, rows),
    SPW_FIELD(spw_frame, chunk_rows), SPW_FIELD(spw_frame, reserved),

    SPW_SIZE(spw_frame_side), SPW_FIELD(spw_frame_side, keys), SPW_FIELD(spw_frame_side, bounds),
    SPW_FIELD(spw_frame_side, from), SPW_FIELD(spw_frame_side, to), SPW_FIELD(spw_frame_side, chunk),
    SPW_FIELD(spw_frame_side, at), SPW_FIELD(spw_frame_side, chunk_rows), SPW_FIELD(spw_frame_side, first),
    SPW_FIELD(spw_frame_side, count), SPW_FIELD(spw_frame_side, rows), SPW_FIELD(spw_frame_side, upper),
    SPW_FIELD(spw_frame_side, descending), SPW_FIELD(spw_frame_side, nulls_last), SPW_FIELD(spw_frame_side, reserved),

    SPW_SIZE(spw_frame_pick), SPW_FIELD(spw_frame_pick, places), SPW_FIELD(spw_frame_pick, handles),
    SPW_FIELD(spw_frame_pick, first), SPW_FIELD(spw_frame_pick, page_rows), SPW_FIELD(spw_frame_pick, row_width),
    SPW_FIELD(spw_frame_pick, rows), SPW_FIELD(spw_frame_pick, reserved)};

#endif
