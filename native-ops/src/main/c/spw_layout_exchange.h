/*
 * Every size and field offset of spw_abi_exchange.h, in the order in which Java's test expects them.
 */
#ifndef SPW_LAYOUT_EXCHANGE_H
#define SPW_LAYOUT_EXCHANGE_H

#include "spw_layout.h"

static const int32_t spw_layout_exchange[] = {
    SPW_SIZE(spw_exchange_column), SPW_FIELD(spw_exchange_column, type), SPW_FIELD(spw_exchange_column, has_nulls),
    SPW_FIELD(spw_exchange_column, values), SPW_FIELD(spw_exchange_column, nulls),

    SPW_SIZE(spw_exchange), SPW_FIELD(spw_exchange, columns), SPW_FIELD(spw_exchange, layout),
    SPW_FIELD(spw_exchange, chunks), SPW_FIELD(spw_exchange, pids), SPW_FIELD(spw_exchange, counts),
    SPW_FIELD(spw_exchange, refs), SPW_FIELD(spw_exchange, text), SPW_FIELD(spw_exchange, text_end),
    SPW_FIELD(spw_exchange, image), SPW_FIELD(spw_exchange, image_capacity), SPW_FIELD(spw_exchange, need),
    SPW_FIELD(spw_exchange, ncolumns), SPW_FIELD(spw_exchange, npartitions), SPW_FIELD(spw_exchange, chunk_bits),
    SPW_FIELD(spw_exchange, nchunks), SPW_FIELD(spw_exchange, stored), SPW_FIELD(spw_exchange, rows),
    SPW_FIELD(spw_exchange, image_bytes), SPW_FIELD(spw_exchange, reserved),

    SPW_SIZE(spw_image), SPW_FIELD(spw_image, address), SPW_FIELD(spw_image, bytes),

    SPW_SIZE(spw_exchange_read), SPW_FIELD(spw_exchange_read, images), SPW_FIELD(spw_exchange_read, columns),
    SPW_FIELD(spw_exchange_read, ncolumns), SPW_FIELD(spw_exchange_read, nimages),
    SPW_FIELD(spw_exchange_read, capacity), SPW_FIELD(spw_exchange_read, reserved)};

#endif
