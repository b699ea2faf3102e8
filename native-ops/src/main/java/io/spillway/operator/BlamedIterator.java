package io.spillway.operator;

import io.spillway.memory.TaskMemory;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * An operator's output that tells the task's report when the operator's own code throws. What an
 * input throws (a function of the user's, a fetch that failed, a file that is gone) passes through.
 *
 * @param <T> what it puts out
 */
final class BlamedIterator<T> implements Iterator<T> {
  private final String operator;
  private final TaskMemory task;
  private final Iterator<T> output;

  private BlamedIterator(String operator, TaskMemory task, Iterator<T> output) {
    this.operator = operator;
    this.task = task;
    this.output = output;
  }

  /** Opens an operator; opening is its own code, too. */
  static <T> Iterator<T> open(String operator, TaskMemory task, Supplier<Iterator<T>> opening) {
    return new BlamedIterator<>(operator, task, blaming(operator, task, opening));
  }

  @Override
  public boolean hasNext() {
    return blaming(operator, task, output::hasNext);
  }

  @Override
  public T next() {
    return blaming(operator, task, output::next);
  }

  private static <R> R blaming(String operator, TaskMemory task, Supplier<R> step) {
    try {
      return step.get();
    } catch (Throwable t) {
      if (NativeFailure.is(t)) {
        task.failedIn(operator, t);
      }
      throw t;
    }
  }
}
