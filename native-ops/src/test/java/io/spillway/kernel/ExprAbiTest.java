package io.spillway.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExprAbiTest {
  @Test
  void shouldAgreeWithTheHeaderOnEveryOperation() {
    assertThat(Kernels.available()).isTrue();
    // Fields come in the order of their declaration, which is the header's.
    int[] java =
        Arrays.stream(ExprAbi.class.getDeclaredFields())
            .filter(field -> field.getName().startsWith("OP_"))
            .mapToInt(ExprAbiTest::value)
            .toArray();
    int[] c = new int[java.length + 100];
    int operations = ExprNatives.operations(c);

    assertThat(Arrays.copyOf(c, operations)).containsExactly(java).doesNotHaveDuplicates();
  }

  private static int value(Field field) {
    try {
      return field.getInt(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
