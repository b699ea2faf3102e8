package io.spillway.memory;

/**
 * In which native operator a task attempt failed.
 *
 * @param operator its name, such as {@code HashAggregate(partial)}
 * @param stageId Spark's id of the stage
 * @param stageAttempt of the stage, from 0
 * @param reason class and message of what it threw, one line
 */
public record OperatorFailure(String operator, int stageId, int stageAttempt, String reason) {}
