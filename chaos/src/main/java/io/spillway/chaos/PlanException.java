package io.spillway.chaos;

/** A plan, or the way the agent was asked to arm it, is wrong. Nothing has been armed. */
public final class PlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final int line;
  private final String problem;

  /**
   * @param file the plan's file, or what it was read from
   * @param line line of the plan, counted from 1; 0 if the problem has no line
   * @param problem what is wrong and what is allowed
   */
  public PlanException(String file, int line, String problem) {
    this(file, line, problem, null);
  }

  /**
   * @param file the plan's file, or what it was read from
   * @param line line of the plan, counted from 1; 0 if the problem has no line
   * @param problem what is wrong and what is allowed
   * @param cause what was thrown; may be null
   */
  public PlanException(String file, int line, String problem, Throwable cause) {
    super(line > 0 ? file + ", line " + line + ": " + problem : file + ": " + problem, cause);
    this.file = file;
    this.line = line;
    this.problem = problem;
  }

  /** The plan's file, or what it was read from. */
  public String file() {
    return file;
  }

  /** Line of the plan, counted from 1; 0 if the problem has no line. */
  public int line() {
    return line;
  }

  /** The message without file and line. */
  public String problem() {
    return problem;
  }
}
