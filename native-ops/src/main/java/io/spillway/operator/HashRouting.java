package io.spillway.operator;

import io.spillway.expression.Program;
import io.spillway.kernel.ExchangeKernels;

/** By Spark's hash of the keys. */
final class HashRouting implements ExchangeRouting {
  private final Evaluator keys;
  private final int keyCount;
  private final int partitions;

  HashRouting(OperatorContext context, Program keys, int partitions, int maxRows) {
    this.keys = new Evaluator(context, keys, maxRows);
    this.keyCount = keys.outputTypes().length;
    this.partitions = partitions;
  }

  @Override
  public void route(SliceReader slice, long pids) {
    keys.evaluate(slice);
    ExchangeKernels.hash(keys.outputs(), keyCount, slice.rows(), partitions, pids);
  }
}
