package io.spillway.chaos.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperatorNamesTest {
  @Test
  void shouldTellNamesWithoutIdentitiesAndFallBackToTheClass() {
    assertThat(OperatorNames.of(null)).isNull();
    assertThat(OperatorNames.of(new Named())).isEqualTo("Sort");
    assertThat(OperatorNames.of(new Plain())).isEqualTo(Plain.class.getName());
    // As a memory consumer of Comet 0.12.0 does, by a wrong format.
    assertThat(OperatorNames.of(new Failing())).isEqualTo(Failing.class.getName());
    assertThat(OperatorNames.of(new FailingName())).isEqualTo(FailingName.class.getName());
  }

  /** An operator with a name. */
  public static final class Named {
    /** The name. */
    public String name() {
      return "Sort";
    }
  }

  private static final class Plain {}

  private static final class Failing {
    @Override
    public String toString() {
      throw new java.util.UnknownFormatConversionException(")");
    }
  }

  /** An operator that cannot tell its name. */
  public static final class FailingName {
    /** Fails. */
    @SuppressWarnings("DoNotCallSuggester") // The agent is to call it.
    public String name() {
      throw new IllegalStateException("closed");
    }
  }
}
