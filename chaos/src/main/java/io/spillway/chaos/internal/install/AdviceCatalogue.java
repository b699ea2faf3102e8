package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.advice.KernelCallAdvice;
import io.spillway.chaos.internal.advice.KernelStateAdvice;
import io.spillway.chaos.internal.advice.MemoryAcquireAdvice;
import io.spillway.chaos.internal.advice.MemoryPageAdvice;
import io.spillway.chaos.internal.advice.NativeAllocAdvice;
import io.spillway.chaos.internal.advice.NativeRegisterAdvice;
import io.spillway.chaos.internal.advice.ShuffleBlockAdvice;
import io.spillway.chaos.internal.advice.ShuffleFetchAdvice;
import io.spillway.chaos.internal.advice.ShuffleWriteAdvice;
import io.spillway.chaos.internal.advice.SparkSpillReadAdvice;
import io.spillway.chaos.internal.advice.SparkSpillWriteAdvice;
import io.spillway.chaos.internal.advice.SpillCloseAdvice;
import io.spillway.chaos.internal.advice.SpillDeleteAdvice;
import io.spillway.chaos.internal.advice.SpillFlushAdvice;
import io.spillway.chaos.internal.advice.SpillOpenAdvice;
import io.spillway.chaos.internal.advice.SpillReadAdvice;
import io.spillway.chaos.internal.advice.SpillStoreAdvice;
import io.spillway.chaos.internal.advice.SpillWriteAdvice;
import io.spillway.chaos.internal.advice.TaskBatchAdvice;
import io.spillway.chaos.internal.advice.TaskCheckAdvice;
import io.spillway.chaos.internal.advice.TaskEndAdvice;
import io.spillway.chaos.internal.advice.TaskStartAdvice;

/** Which advice goes into which seam. */
final class AdviceCatalogue {
  private AdviceCatalogue() {}

  /** The advice for one of a point's seams. */
  static Class<?> of(FaultPoint point, Seam seam) {
    int number = point.seams().indexOf(seam);
    return switch (point) {
      case MEMORY_ACQUIRE -> MemoryAcquireAdvice.class;
      case MEMORY_PAGE -> MemoryPageAdvice.class;
      case NATIVE_ALLOC -> NativeAllocAdvice.class;
      case NATIVE_REGISTER -> NativeRegisterAdvice.class;
      case KERNEL_CALL -> KernelCallAdvice.class;
      case KERNEL_STATE -> KernelStateAdvice.class;
      case SPILL_OPEN -> SpillOpenAdvice.class;
      case SPILL_WRITE ->
          number == 0
              ? SpillWriteAdvice.class
              : number == 1 ? SpillStoreAdvice.class : SparkSpillWriteAdvice.class;
      case SPILL_FLUSH -> SpillFlushAdvice.class;
      case SPILL_READ -> number == 0 ? SpillReadAdvice.class : SparkSpillReadAdvice.class;
      case SPILL_DELETE -> SpillDeleteAdvice.class;
      case SPILL_CLOSE -> SpillCloseAdvice.class;
      case SHUFFLE_WRITE -> ShuffleWriteAdvice.class;
      case SHUFFLE_FETCH -> number == 0 ? ShuffleFetchAdvice.class : ShuffleBlockAdvice.class;
      case TASK_START -> TaskStartAdvice.class;
      case TASK_BATCH -> number == 0 ? TaskBatchAdvice.class : TaskCheckAdvice.class;
      case TASK_END -> TaskEndAdvice.class;
    };
  }
}
