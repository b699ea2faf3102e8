/*
 * Expression programs over columns: int64_t spw_eval(spw_eval *block), see spw_abi.h.
 */
#ifndef SPW_EXPR_H
#define SPW_EXPR_H

#include "spw_base.h"

#define SPW_DECLARE_EXPR(suffix) int64_t spw_eval##suffix(spw_eval *block);
SPW_LEVELS(SPW_DECLARE_EXPR)

#endif
