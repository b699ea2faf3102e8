package io.spillway.chaos.internal.dispatch;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Fetch failures as Spark itself makes them, for the block that an iterator has just taken. Any
 * thread.
 */
final class FetchFailures {
  private static final String RESULT =
      "org.apache.spark.storage.ShuffleBlockFetcherIterator$SuccessFetchResult";
  private static final String BLOCK = "org.apache.spark.storage.BlockId";
  private static final String MANAGER = "org.apache.spark.storage.BlockManagerId";
  private static final String OPTION = "scala.Option";

  private static final ClassValue<Makers> MAKERS =
      new ClassValue<>() {
        @Override
        protected Makers computeValue(Class<?> iterator) {
          try {
            ClassLoader loader = iterator.getClassLoader();
            Class<?> result = Class.forName(RESULT, false, loader);
            Class<?> option = Class.forName(OPTION, false, loader);
            return new Makers(
                iterator.getMethod(
                    "throwFetchFailedException",
                    Class.forName(BLOCK, false, loader),
                    int.class,
                    Class.forName(MANAGER, false, loader),
                    Throwable.class,
                    option),
                result.getMethod("blockId"),
                result.getMethod("mapIndex"),
                result.getMethod("address"),
                option.getMethod("empty"));
          } catch (ReflectiveOperationException | LinkageError e) {
            return new Makers(null, null, null, null, null);
          }
        }
      };

  private FetchFailures() {}

  /** Whether this Spark's iterator can be asked for one. */
  static boolean areKnown(Class<?> iterator) {
    return MAKERS.get(iterator).failure() != null;
  }

  /** Spark's exception for a lost block, or the reason why it could not be made. */
  static Throwable of(Object iterator, Object block, String why) {
    Makers makers = MAKERS.get(iterator.getClass());
    try {
      Object unused =
          makers
              .failure()
              .invoke(
                  iterator,
                  makers.blockId().invoke(block),
                  makers.mapIndex().invoke(block),
                  makers.address().invoke(block),
                  new IOException("Block lost " + why),
                  makers.noMessage().invoke(null));
      return new IllegalStateException("Spark did not take a block for lost: " + block);
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (IllegalAccessException e) {
      return new IllegalStateException("Spark's fetch failure is out of reach", e);
    }
  }

  /** All null: this Spark's iterator is another one. */
  private record Makers(
      Method failure, Method blockId, Method mapIndex, Method address, Method noMessage) {}
}
