/* The entries of the tables of sizes and offsets. */
#ifndef SPW_LAYOUT_TABLE_H
#define SPW_LAYOUT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "spw_abi.h"

#define SPW_SIZE(s) (int32_t)sizeof(s)
#define SPW_FIELD(s, f) (int32_t)offsetof(s, f)

#endif
