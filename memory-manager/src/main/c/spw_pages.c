#define _GNU_SOURCE /* MAP_ANONYMOUS under -std=c17 */
#include "spw_pages.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

int32_t spw_pages_abi_version(void) { return SPW_PAGES_ABI_VERSION; }

int64_t spw_pages_page_size(void) { return (int64_t)sysconf(_SC_PAGESIZE); }

static int is_page_multiple(int64_t value) {
  return value > 0 && value % spw_pages_page_size() == 0;
}

int64_t spw_pages_map(int64_t bytes) {
  if (!is_page_multiple(bytes)) return -EINVAL;
  void *address = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return -(int64_t)errno;
  return (int64_t)(intptr_t)address;
}

int64_t spw_pages_unmap(int64_t address, int64_t bytes) {
  if (!is_page_multiple(address) || !is_page_multiple(bytes)) return -EINVAL;
  if (munmap((void *)(intptr_t)address, (size_t)bytes) != 0) return -(int64_t)errno;
  return 0;
}

int64_t spw_pages_discard(int64_t address, int64_t bytes) {
  if (!is_page_multiple(address) || !is_page_multiple(bytes)) return -EINVAL;
  if (madvise((void *)(intptr_t)address, (size_t)bytes, MADV_DONTNEED) != 0) return -(int64_t)errno;
  return 0;
}
