package io.spillway.testing.internal;

import java.util.Set;

/** One kind of thing that a job can leave behind. Looked at on the test's thread. */
interface Leftovers {

  /** What is there now, in words that stay the same while the thing does; empty: nothing. */
  Set<String> now();
}
