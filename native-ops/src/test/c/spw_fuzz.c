/*
 * Fuzzes the kernels: spw_fuzz [seconds [seed [case]]]
 *
 * Prints the seed; a failure names seed and case, and `spw_fuzz 0 SEED CASE` repeats that case alone.
 */
#include <time.h>

#include "fuzz.h"
#include "fuzz_frame.h"
#include "fuzz_join.h"
#include "fuzz_rows.h"
#include "fuzz_sort.h"
#include "fuzz_window.h"

#define SPW_DECLARE_KERNELS(suffix)                                                                              \
  {#suffix,                     spw_eval##suffix,            spw_agg_add##suffix,    spw_agg_merge_page##suffix, \
   spw_agg_init_group##suffix,  spw_index_build##suffix,     spw_page_init##suffix,  spw_page_check##suffix,     \
   spw_agg_emit##suffix,        spw_rows_to_columns##suffix, spw_columns_to_rows##suffix, spw_select##suffix,    \
   spw_take##suffix,            spw_dictionary##suffix,      spw_strings##suffix,    spw_decimals##suffix,       \
   spw_widen##suffix},

static const kernels levels[] = {SPW_LEVELS(SPW_DECLARE_KERNELS)};

typedef void (*fuzzer)(rng *, const kernels *, int);
static const struct {
  const char *name;
  fuzzer run;
} fuzzers[] = {{"expressions", fuzz_expr},
               {"operations", fuzz_expr_more},
               {"aggregation", fuzz_agg},
               {"columns", fuzz_columns},
               {"joins", fuzz_join},
               {"unsafe rows", fuzz_unsafe_rows},
               {"rows", fuzz_rows},
               {"sort", fuzz_sort},
               {"first rows", fuzz_sort_first},
               {"window", fuzz_window},
               {"frames", fuzz_frame},
                {"exchange", fuzz_exchange}};
#define FUZZERS (sizeof fuzzers / sizeof fuzzers[0])

static void run_case(uint64_t seed, uint64_t number, int nlevels) {
  static char text[120];
  const size_t which = number % FUZZERS;
  snprintf(text, sizeof text, "%s: repeat with: spw_fuzz 0 %llu %llu", fuzzers[which].name, (unsigned long long)seed,
           (unsigned long long)number);
  fuzz_case = text;
  rng r = {seed ^ (number + 1) * UINT64_C(0x9e3779b97f4a7c15)};
  fuzzers[which].run(&r, levels, nlevels);
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? strtod(argv[1], NULL) : 10;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
  const int nlevels = spw_cpu_level() + 1;
  if (argc > 3) {
    run_case(seed, strtoull(argv[3], NULL, 10), nlevels);
    printf("spw_fuzz: seed %llu case %s passed\n", (unsigned long long)seed, argv[3]);
    return 0;
  }
  printf("spw_fuzz: seed %llu, %d level(s), %.0f s\n", (unsigned long long)seed, nlevels, seconds);
  fflush(stdout);
  const time_t end = time(NULL) + (time_t)seconds;
  uint64_t cases = 0;
  while (time(NULL) < end || cases < 200) run_case(seed, cases++, nlevels);
  printf("spw_fuzz: %llu cases passed\n", (unsigned long long)cases);
  return 0;
}
