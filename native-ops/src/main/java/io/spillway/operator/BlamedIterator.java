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
    try {
      return new BlamedIterator<>(operator, task, opening.get());
    } catch (Throwable t) {
      blame(operator, task, t);
      throw t;
    }
  }

  // Some of these are called for each row: nothing is made here for a call.

  @Override
  public boolean hasNext() {
    try {
      return output.hasNext();
    } catch (Throwable t) {
      blame(operator, task, t);
      throw t;
    }
  }

  @Override
  public T next() {
    try {
      return output.next();
    } catch (Throwable t) {
      blame(operator, task, t);
      throw t;
    }
  }

  private static void blame(String operator, TaskMemory task, Throwable thrown) {
    if (NativeFailure.is(thrown)) {
      task.failedIn(operator, thrown);
    }
  }
}
