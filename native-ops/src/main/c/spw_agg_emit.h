/*
 * Groups of a page into columns: int64_t spw_agg_emit(spw_emit *block), see spw_abi.h.
 */
#ifndef SPW_AGG_EMIT_H
#define SPW_AGG_EMIT_H

#include "spw_base.h"

#define SPW_DECLARE_EMIT(suffix) int64_t spw_agg_emit##suffix(spw_emit *block);
SPW_LEVELS(SPW_DECLARE_EMIT)

#endif
