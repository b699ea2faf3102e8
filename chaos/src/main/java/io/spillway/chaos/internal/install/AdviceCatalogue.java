package io.spillway.chaos.internal.install;

import io.spillway.chaos.FaultPoint;
import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.advice.ArrowAllocAdvice;
import io.spillway.chaos.internal.advice.CometAcquireAdvice;
import io.spillway.chaos.internal.advice.ExecutorBatchAdvice;
import io.spillway.chaos.internal.advice.ExecutorCheckAdvice;
import io.spillway.chaos.internal.advice.ExecutorStartAdvice;
import io.spillway.chaos.internal.advice.GlutenReserveAdvice;
import io.spillway.chaos.internal.advice.JdkDirectAdvice;
import io.spillway.chaos.internal.advice.JdkUnsafeAdvice;
import io.spillway.chaos.internal.advice.KernelCallAdvice;
import io.spillway.chaos.internal.advice.KernelStateAdvice;
import io.spillway.chaos.internal.advice.MemoryAcquireAdvice;
import io.spillway.chaos.internal.advice.MemoryPageAdvice;
import io.spillway.chaos.internal.advice.NativeAllocAdvice;
import io.spillway.chaos.internal.advice.NativeRegisterAdvice;
import io.spillway.chaos.internal.advice.NettyAllocAdvice;
import io.spillway.chaos.internal.advice.PluginAskAdvice;
import io.spillway.chaos.internal.advice.PluginSendAdvice;
import io.spillway.chaos.internal.advice.RapidsAllocAdvice;
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
      case ARROW_ALLOC -> ArrowAllocAdvice.class;
      case NETTY_ALLOC -> NettyAllocAdvice.class;
      case JDK_DIRECT -> JdkDirectAdvice.class;
      case JDK_UNSAFE -> JdkUnsafeAdvice.class;
      case EXECUTOR_EXIT ->
          number < 2
              ? ExecutorStartAdvice.class
              : number == 2 ? ExecutorBatchAdvice.class : ExecutorCheckAdvice.class;
      case PLUGIN_RPC -> number == 0 ? PluginSendAdvice.class : PluginAskAdvice.class;
      case COMET_ACQUIRE -> CometAcquireAdvice.class;
      case GLUTEN_RESERVE -> GlutenReserveAdvice.class;
      case RAPIDS_ALLOC -> RapidsAllocAdvice.class;
    };
  }
}
