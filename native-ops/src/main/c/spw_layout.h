/*
 * Every size and field offset that Java repeats, in the order in which the test that compares them
 * expects them: structures as they stand in spw_abi.h, each its size and then its fields.
 */
#ifndef SPW_LAYOUT_H
#define SPW_LAYOUT_H

#include "spw_layout_table.h"

static const int32_t spw_layout[] = {
    SPW_SIZE(spw_str), SPW_FIELD(spw_str, length), SPW_FIELD(spw_str, prefix), SPW_FIELD(spw_str, tail),

    SPW_SIZE(spw_column), SPW_FIELD(spw_column, values), SPW_FIELD(spw_column, nulls), SPW_FIELD(spw_column, type),
    SPW_FIELD(spw_column, kind), SPW_FIELD(spw_column, has_nulls), SPW_FIELD(spw_column, reserved),

    SPW_SIZE(spw_instr), SPW_FIELD(spw_instr, op), SPW_FIELD(spw_instr, type), SPW_FIELD(spw_instr, dst),
    SPW_FIELD(spw_instr, a), SPW_FIELD(spw_instr, b), SPW_FIELD(spw_instr, c), SPW_FIELD(spw_instr, imm),

    SPW_SIZE(spw_eval), SPW_FIELD(spw_eval, registers), SPW_FIELD(spw_eval, code), SPW_FIELD(spw_eval, nregisters),
    SPW_FIELD(spw_eval, ninstructions), SPW_FIELD(spw_eval, rows), SPW_FIELD(spw_eval, chunk_rows),
    SPW_FIELD(spw_eval, heap), SPW_FIELD(spw_eval, heap_end), SPW_FIELD(spw_eval, need), SPW_FIELD(spw_eval, at_row),
    SPW_FIELD(spw_eval, at_instruction),

    SPW_SIZE(spw_page), SPW_FIELD(spw_page, capacity), SPW_FIELD(spw_page, rows), SPW_FIELD(spw_page, back),
    SPW_FIELD(spw_page, reserved),

    SPW_SIZE(spw_key), SPW_FIELD(spw_key, type), SPW_FIELD(spw_key, offset),

    SPW_SIZE(spw_partition), SPW_FIELD(spw_partition, pages), SPW_FIELD(spw_partition, index),
    SPW_FIELD(spw_partition, index_slots), SPW_FIELD(spw_partition, index_used), SPW_FIELD(spw_partition, rows),
    SPW_FIELD(spw_partition, npages), SPW_FIELD(spw_partition, reserved),

    SPW_SIZE(spw_agg_fn), SPW_FIELD(spw_agg_fn, op), SPW_FIELD(spw_agg_fn, type), SPW_FIELD(spw_agg_fn, state_offset),
    SPW_FIELD(spw_agg_fn, input), SPW_FIELD(spw_agg_fn, input2), SPW_FIELD(spw_agg_fn, precision),
    SPW_FIELD(spw_agg_fn, out_precision), SPW_FIELD(spw_agg_fn, scale_up), SPW_FIELD(spw_agg_fn, out_type),
    SPW_FIELD(spw_agg_fn, out_scale), SPW_FIELD(spw_agg_fn, input3), SPW_FIELD(spw_agg_fn, merge),

    SPW_SIZE(spw_agg), SPW_FIELD(spw_agg, keys), SPW_FIELD(spw_agg, inputs), SPW_FIELD(spw_agg, key_layout),
    SPW_FIELD(spw_agg, functions), SPW_FIELD(spw_agg, partitions), SPW_FIELD(spw_agg, scratch),
    SPW_FIELD(spw_agg, nkeys), SPW_FIELD(spw_agg, ninputs), SPW_FIELD(spw_agg, nfunctions),
    SPW_FIELD(spw_agg, row_width), SPW_FIELD(spw_agg, partition_bits), SPW_FIELD(spw_agg, hash_shift),
    SPW_FIELD(spw_agg, merge), SPW_FIELD(spw_agg, rows), SPW_FIELD(spw_agg, rows_done),
    SPW_FIELD(spw_agg, need_partition), SPW_FIELD(spw_agg, reserved), SPW_FIELD(spw_agg, need),

    SPW_SIZE(spw_emit), SPW_FIELD(spw_emit, page), SPW_FIELD(spw_emit, key_layout), SPW_FIELD(spw_emit, functions),
    SPW_FIELD(spw_emit, out), SPW_FIELD(spw_emit, nkeys), SPW_FIELD(spw_emit, nfunctions),
    SPW_FIELD(spw_emit, row_width), SPW_FIELD(spw_emit, final), SPW_FIELD(spw_emit, start_row),
    SPW_FIELD(spw_emit, max_rows),

    SPW_SIZE(spw_row_batch), SPW_FIELD(spw_row_batch, columns), SPW_FIELD(spw_row_batch, data),
    SPW_FIELD(spw_row_batch, offsets), SPW_FIELD(spw_row_batch, capacity), SPW_FIELD(spw_row_batch, ncolumns),
    SPW_FIELD(spw_row_batch, rows), SPW_FIELD(spw_row_batch, need),

    SPW_ROW_HEADER, SPW_AGG_SCRATCH, SPW_ABI_VERSION};

#endif
