/* The page source: native memory straight from the operating system and straight back to it.
 *
 * malloc keeps what it frees, so a process that frees everything may still hold hundreds of MiB.
 * An anonymous mapping is gone when it is unmapped, and what is charged is what the process holds.
 *
 * All functions are thread-safe: they keep no state. Results are >= 0; errors are -errno. */
#ifndef SPW_PAGES_H
#define SPW_PAGES_H

#include <stdint.h>

/* Raised whenever a signature or a meaning in this file changes. */
#define SPW_PAGES_ABI_VERSION 2

/* The ABI version this library was built with. */
int32_t spw_pages_abi_version(void);

/* The size of a page of the operating system, in bytes; a power of two, at least 4096. */
int64_t spw_pages_page_size(void);

/* Maps `bytes` (> 0, a multiple of the page size) of zeroed, private, readable and writable memory.
 * Returns its address (> 0, page-aligned), or -EINVAL for a wrong size, or -ENOMEM and the like when
 * the operating system refuses. A failure leaves nothing behind. */
int64_t spw_pages_map(int64_t bytes);

/* Gives back exactly what one spw_pages_map call returned, or several of them whose ranges lie side
 * by side. 0, or -EINVAL for arguments that cannot be a mapping, or what munmap says: -ENOMEM where
 * the process has too many mappings to split one. On failure the mappings stay. */
int64_t spw_pages_unmap(int64_t address, int64_t bytes);

/* Gives the memory of whole pages inside one mapping back and keeps the addresses, which read as
 * zero afterwards. 0, or -EINVAL for arguments that cannot be pages, or what madvise says; on failure
 * nothing has changed. */
int64_t spw_pages_discard(int64_t address, int64_t bytes);

#endif
