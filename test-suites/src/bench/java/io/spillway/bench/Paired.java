package io.spillway.bench;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Two cases that were measured side by side.
 *
 * @param base what is compared with
 * @param ours one sample for each of {@code base}, of the same round
 */
record Paired(List<Sample> base, List<Sample> ours) {
  /** How much more ours is, round by round; the target may be null. */
  Measure difference(String name, String unit, ToDoubleFunction<Sample> value, Target target) {
    return compared(name, unit, value, (a, b) -> a - b, "difference", target);
  }

  /** Ours by base, round by round; the target may be null. */
  Measure ratio(String name, String unit, ToDoubleFunction<Sample> value, Target target) {
    return compared(name, unit, value, (a, b) -> a / b, "ratio", target);
  }

  /** How many times faster ours is, of figures that are seconds; the target may be null. */
  Measure speedup(String name, ToDoubleFunction<Sample> seconds, Target target) {
    return compared(name, "s", seconds, (a, b) -> b / a, "speedup", target);
  }

  private Measure compared(
      String name,
      String unit,
      ToDoubleFunction<Sample> value,
      DoubleBinaryOperator comparison,
      String kind,
      Target target) {
    List<Double> compared =
        IntStream.range(0, ours.size())
            .mapToObj(
                i ->
                    comparison.applyAsDouble(
                        value.applyAsDouble(ours.get(i)), value.applyAsDouble(base.get(i))))
            .toList();
    return Measure.compared(
        name,
        unit,
        Figure.of(ours, value),
        Figure.of(base, value),
        Figure.of(compared),
        kind,
        target);
  }
}
