package io.spillway.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExpressionPageTest {
  @Test
  void shouldStandInTheDocumentationAsTheCodeSays() throws IOException {
    Path page = Path.of("..", "docs", "expressions.md");
    if (Boolean.getBoolean("spillway.docs.write")) {
      Files.writeString(page, ExpressionPage.markdown());
    }

    assertThat(Files.readString(page))
        .as("docs/expressions.md must be what ExpressionPage.markdown() makes")
        .isEqualTo(ExpressionPage.markdown());
  }
}
