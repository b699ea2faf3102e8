package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.advice.KernelCallAdvice;
import io.spillway.chaos.internal.advice.MemoryAcquireAdvice;
import io.spillway.chaos.internal.advice.MemoryPageAdvice;
import io.spillway.chaos.internal.advice.NativeAllocAdvice;
import io.spillway.chaos.internal.advice.NativeRegisterAdvice;
import io.spillway.chaos.internal.advice.ShuffleFetchAdvice;
import io.spillway.chaos.internal.advice.ShuffleWriteAdvice;
import io.spillway.chaos.internal.advice.SpillCloseAdvice;
import io.spillway.chaos.internal.advice.SpillDeleteAdvice;
import io.spillway.chaos.internal.advice.SpillFlushAdvice;
import io.spillway.chaos.internal.advice.SpillOpenAdvice;
import io.spillway.chaos.internal.advice.SpillReadAdvice;
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
    return switch (point) {
      case MEMORY_ACQUIRE -> MemoryAcquireAdvice.class;
      case MEMORY_PAGE -> MemoryPageAdvice.class;
      case NATIVE_ALLOC -> NativeAllocAdvice.class;
      case NATIVE_REGISTER -> NativeRegisterAdvice.class;
      case KERNEL_CALL -> KernelCallAdvice.class;
      case SPILL_OPEN -> SpillOpenAdvice.class;
      case SPILL_WRITE -> SpillWriteAdvice.class;
      case SPILL_FLUSH -> SpillFlushAdvice.class;
      case SPILL_READ -> SpillReadAdvice.class;
      case SPILL_DELETE -> SpillDeleteAdvice.class;
      case SPILL_CLOSE -> SpillCloseAdvice.class;
      case SHUFFLE_WRITE -> ShuffleWriteAdvice.class;
      case SHUFFLE_FETCH -> ShuffleFetchAdvice.class;
      case TASK_START -> TaskStartAdvice.class;
      case TASK_BATCH ->
          seam.equals(point.seams().get(0)) ? TaskBatchAdvice.class : TaskCheckAdvice.class;
      case TASK_END -> TaskEndAdvice.class;
    };
  }
}
