package io.spillway.bench;

/**
 * What a figure must come to.
 *
 * @param bound which side is right
 * @param value the limit itself is right too
 */
record Target(Bound bound, double value) {
  /** Which side of the limit is right. */
  enum Bound {
    /** The limit or less. */
    AT_MOST,
    /** The limit or more. */
    AT_LEAST
  }

  /** How a figure stands to its target. */
  enum Verdict {
    /** The whole interval is on the right side. */
    MET,
    /** The median is on the right side, a part of the interval is not. */
    UNSURE,
    /** The median is on the wrong side. */
    MISSED
  }

  static Target atMost(double value) {
    return new Target(Bound.AT_MOST, value);
  }

  static Target atLeast(double value) {
    return new Target(Bound.AT_LEAST, value);
  }

  Verdict judge(Figure figure) {
    if (!isRight(figure.median())) {
      return Verdict.MISSED;
    }
    return isRight(figure.low()) && isRight(figure.high()) ? Verdict.MET : Verdict.UNSURE;
  }

  private boolean isRight(double figure) {
    return bound == Bound.AT_MOST ? figure <= value : figure >= value;
  }

  @Override
  public String toString() {
    return (bound == Bound.AT_MOST ? "<= " : ">= ") + Numbers.text(value);
  }
}
