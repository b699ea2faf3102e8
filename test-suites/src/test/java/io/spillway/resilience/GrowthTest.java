package io.spillway.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final long MIB = 1 << 20;
  private static final long SEED = 20_261_201;

  @Test
  void shouldSeeGrowthWhenASteadyLeakStandsOutOfTheNoise() {
    Growth growth = Growth.of(samples(MIB / 2, 2 * MIB));

    assertThat(growth.grows()).as("seed %d: %s", SEED, growth).isTrue();
    assertThat(growth.slopeBytes()).isBetween(0.4 * MIB, 0.6 * MIB);
    assertThat(growth.toString())
        .contains("slope of 499.2 KiB", "standard error", "noise is 8.0 MiB");
  }

  @Test
  void shouldSeeNoGrowthWhenFiguresOnlyScatter() {
    Growth growth = Growth.of(samples(0, 20 * MIB));

    assertThat(growth.grows()).as("seed %d: %s", SEED, growth).isFalse();
    assertThat(growth.noiseBytes()).isGreaterThan(Growth.FLOOR_BYTES);
  }

  @Test
  void shouldSeeNoGrowthWhenItIsWhatAllocatorsKeep() {
    Growth growth = Growth.of(samples(MIB / 10, 0));

    assertThat(growth.grows()).as(growth.toString()).isFalse();
    assertThat(growth.noiseBytes()).isEqualTo(Growth.FLOOR_BYTES);
  }

  private static List<Long> samples(long slopeBytes, long scatterBytes) {
    Random random = new Random(SEED);
    return IntStream.range(0, 50)
        .mapToObj(
            i -> 1024 * MIB + i * slopeBytes + (long) ((random.nextDouble() - 0.5) * scatterBytes))
        .toList();
  }
}
