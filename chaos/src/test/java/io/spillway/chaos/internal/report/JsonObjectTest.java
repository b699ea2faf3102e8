package io.spillway.chaos.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

  @Test
  void shouldReadBackWithAnotherLibraryWhenTextsAreAwkward() throws Exception {
    String awkward = "quote \" backslash \\ line\nend \u0001 pair \ud83d\ude00 umlaut \u00fc";
    String json =
        new JsonObject()
            .put("text", awkward)
            .put("missing", (String) null)
            .put("number", Long.MIN_VALUE)
            .put("flag", true)
            .put("list", List.of(new JsonObject().put("a", 1), new JsonObject()))
            .toString();
    JsonNode read = new ObjectMapper().readTree(json);
    assertThat(read.get("text").asText()).isEqualTo(awkward);
    assertThat(read.has("missing")).isFalse();
    assertThat(read.get("number").asLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(read.get("flag").asBoolean()).isTrue();
    assertThat(read.get("list")).hasSize(2);
    assertThat(json.lines().findFirst().orElseThrow()).doesNotContain("\u0001");
  }
}
