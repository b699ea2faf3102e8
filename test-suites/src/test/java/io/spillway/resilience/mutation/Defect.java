package io.spillway.resilience.mutation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Mistakes that could be made in Spillway, each with the test that notices it. They are made by
 * advice on the built classes: no production code has a switch for them.
 */
public enum Defect {
  REFUSED_BLOCK_STAYS_RESERVED(
      "memory.Reservation",
      "undo",
      Advices.LeftOut.class,
      "memory.AllocationWalkTest#shouldLeaveAllBooksUntouchedWhenTheSystemRefuses"),
  SHORT_GRANT_TAKEN_FOR_A_WHOLE_ONE(
      "memory.SparkConsumer",
      "acquire",
      Advices.AnswersWhatWasAsked.class,
      "memory.AllocationWalkTest#shouldLeaveAllBooksUntouchedWhenSparkRefuses"),
  GIVEN_BACK_TWICE(
      "memory.SparkConsumer",
      "release",
      Advices.Doubled.class,
      "memory.AllocationWalkTest#shouldReserveInQuantaAndGiveBackWhatIsIdle"),
  RESERVATION_KEPT_BY_A_CLOSED_OPERATOR(
      "memory.Reservation",
      "close",
      Advices.LeftOut.class,
      "memory.ScopeTest#shouldReclaimEverythingWhenTheTaskFails"),
  CLOSED_OPERATOR_STAYS_IN_ITS_TASK(
      "memory.TaskMemory",
      "closed",
      Advices.LeftOut.class,
      "memory.BudgetTest#shouldCountAnOperatorNoLongerWhenItHasClosed"),
  FREED_BLOCK_STAYS_IN_THE_LEDGER(
      "memory.LedgerPart",
      "takeOut",
      Advices.LeftOut.class,
      "memory.AllocationWalkTest#shouldKeepAllBooksAlikeWhenABlockComesAndGoes"),
  ADOPTED_WITHOUT_A_CHARGE(
      "memory.Reservation",
      "takeOver",
      Advices.LeftOut.class,
      "memory.AllocationWalkTest#shouldMoveTheChargeWhenABlockIsAdopted"),
  FREED_MEMORY_KEPT_FROM_THE_SYSTEM(
      "memory.PageSource",
      "free",
      Advices.LeftOut.class,
      "memory.PageSourceTest#shouldHoldOnePageOnlyWhenOneBlockIsLeftOfEverySpan"),
  CLEANING_UP_STOPS_AT_THE_FIRST_FAILURE(
      "memory.Closing",
      "run",
      Advices.LeftOutAfterAFailure.class,
      "memory.ScopeTest#shouldCloseTheRestWhenOneCloseFails"),
  FAILURE_OF_CLEANING_UP_SWALLOWED(
      "memory.Closing",
      "rethrow",
      Advices.LeftOut.class,
      "memory.ClosingTest#shouldRunEveryStepAndThrowTheFirstFailureWithTheOthersInIt"),
  BACKSTOP_DOES_NOTHING(
      "memory.TaskMemory",
      "closeWithoutSpark",
      Advices.LeftOut.class,
      "memory.ScopeTest#shouldFreeWithoutReleasingToSparkWhenOnlyTheBackstopRuns"),
  BACKSTOP_GIVES_SPARK_WHAT_IT_TOOK_ITSELF(
      "memory.OperatorMemory",
      "abandonReservation",
      Advices.LeftOut.class,
      "memory.ScopeTest#shouldFreeWithoutReleasingToSparkWhenOnlyTheBackstopRuns"),
  LEAK_TAKEN_FOR_RECLAIMED(
      "memory.ScopeEnd",
      "report",
      Advices.NothingLeaked.class,
      "memory.ScopeTest#shouldNameTheOwnerForEverWhenATaskThatSucceededLeaks"),
  HELPER_THREADS_NOT_AWAITED(
      "memory.HelperThreads",
      "end",
      Advices.LeftOutAndTrue.class,
      "memory.HelperThreadsTest#shouldBeginNoStepAfterTheEnd"),
  KILL_NOT_SEEN_BETWEEN_BATCHES(
      "memory.TaskMemory",
      "endIfKilled",
      Advices.LeftOut.class,
      "memory.ScopeTest#shouldEndTheTaskAtItsNextBatchWhenItIsKilled"),
  ROW_DONE_TWICE_BY_A_RETRY(
      "memory.Retry",
      "attempt",
      Advices.BeginsARowEarly.class,
      "memory.RetryTest#shouldDoEveryRowOnceAndInOrderWhenTheBatchMustBeSplit"),
  NOTHING_SPILLED_FOR_ITS_OWN_NEED(
      "memory.TaskSpilling",
      "spillOwn",
      Advices.LeftOut.class,
      "memory.GuardedTaskTest#shouldSpillItsOwnAndGoOnWithoutWaitingWhenThatMakesRoom"),
  OTHER_TASKS_NOT_ASKED(
      "memory.TaskSpilling",
      "request",
      Advices.LeftOut.class,
      "memory.LadderTest#shouldGetWhatItNeedsWhenAnotherTaskSpillsAtItsBatchBoundary",
      When.SOAK),
  FULL_CONTAINER_LETS_TASKS_GROW(
      "memory.guard.ContainerGuard",
      "admits",
      Advices.LeftOutAndTrue.class,
      "memory.GuardedTaskTest#shouldStayBelowTheUpperMarkWhenATaskTakesFourTimesTheRoom"),
  LEASE_OF_SHARED_MEMORY_NOT_GIVEN_BACK(
      "memory.SharedLease",
      "close",
      Advices.LeftOut.class,
      "memory.SharedMemoryTest#shouldBuildOnceAndStayForTheNextTaskUntilSomebodyNeedsTheRoom"),
  BROKEN_FILE_GIVEN_TO_THE_NEXT_TASK(
      "memory.SharedLease",
      "forget",
      Advices.LeftOut.class,
      "memory.SharedFilesTest#shouldWriteAnewForTheNextTaskWhenOneHasFoundItBroken",
      When.SOAK),
  SPILL_FILE_NOT_DELETED(
      "memory.spill.SpillPart",
      "close",
      Advices.LeftOut.class,
      "memory.spill.SpillFailureTest#shouldLeaveNothingWhenItIsClosedInTheMiddleOfASegment"),
  CHECKSUM_NOT_LOOKED_AT(
      "memory.spill.Frame",
      "isTrailer",
      Advices.LeftOutAndTrue.class,
      "memory.spill.SpillDamageTest#shouldFindEveryFlippedBitWhereNothingIsPadding"),
  ABANDONED_SEGMENT_GOES_ON_WRITING(
      "memory.spill.SpillOutput",
      "abandon",
      Advices.LeftOut.class,
      "memory.spill.SpillFailureTest#shouldWriteNothingMoreWhenASegmentIsAbandoned"),
  NO_OTHER_DIRECTORY_TRIED_WHEN_A_DISK_IS_FULL(
      "memory.spill.SpillFile",
      "nextPart",
      Advices.DiskFails.class,
      "memory.spill.SpillFailureTest#shouldGoOnInTheThirdDirectoryWhenTheSecondIsFullTooOnTheWay"),
  SORTED_RUN_FORGOTTEN(
      "operator.SortMerge",
      "addSpilled",
      Advices.LeftOut.class,
      "resilience.StarvedAnswersTest#shouldSortRightWhenRunsAreOnDisk"),
  SPILLED_PARTITION_FORGOTTEN(
      "operator.RowPartition",
      "spill",
      Advices.SegmentsForgotten.class,
      "resilience.StarvedAnswersTest#shouldAggregateRightWhenGroupsAreOnDisk"),
  ROW_AGGREGATED_TWICE_AFTER_A_STOP(
      "operator.AggregateTable",
      "add",
      Advices.StopsARowEarly.class,
      "resilience.StarvedAnswersTest#shouldAggregateRightWhenGroupsAreOnDisk"),
  ROWS_STORED_AGAIN_BY_A_RETRY(
      "kernel.RowsKernels",
      "append",
      Advices.RepeatsARow.class,
      "resilience.StarvedAnswersTest#shouldJoinRightWhenTheBuildSideIsOnDisk");

  private enum When {
    ALWAYS,
    SOAK
  }

  private static final String ROOT = "io.spillway.";

  private final String type;
  private final String method;
  private final Class<?> advice;
  private final String catcher;
  private final When when;

  Defect(String type, String method, Class<?> advice, String catcher) {
    this(type, method, advice, catcher, When.ALWAYS);
  }

  Defect(String type, String method, Class<?> advice, String catcher, When when) {
    this.type = ROOT + type;
    this.method = method;
    this.advice = advice;
    this.catcher = ROOT + catcher;
    this.when = when;
  }

  /** The class that has it. */
  public String type() {
    return type;
  }

  /** The method that has it; all of that name in the class. */
  public String method() {
    return method;
  }

  /** What makes it. */
  Class<?> advice() {
    return advice;
  }

  /** The test that notices it, as {@code class#method}. */
  public String catcher() {
    return catcher;
  }

  /** Those that are proved in every build, or the others. */
  static List<Defect> all(boolean soak) {
    return Arrays.stream(values()).filter(defect -> (defect.when == When.SOAK) == soak).toList();
  }

  /** In words. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
