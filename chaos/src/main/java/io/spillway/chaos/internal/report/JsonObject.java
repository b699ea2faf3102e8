package io.spillway.chaos.internal.report;

/** Builds one JSON object, keys in the order given. A null value leaves its key out. */
public final class JsonObject {
  private final StringBuilder text = new StringBuilder("{");

  /** Adds a text. */
  public JsonObject put(String key, String value) {
    if (value != null) {
      key(key);
      quote(value);
    }
    return this;
  }

  /** Adds a whole number. */
  public JsonObject put(String key, long value) {
    key(key).append(value);
    return this;
  }

  /** Adds true or false. */
  public JsonObject put(String key, boolean value) {
    key(key).append(value);
    return this;
  }

  /** Adds an array of objects, each on a line of its own. */
  public JsonObject put(String key, Iterable<JsonObject> values) {
    return put(key, values, "\n  ");
  }

  /** Adds an array of objects without a line break, for files with an object a line. */
  public JsonObject putInline(String key, Iterable<JsonObject> values) {
    return put(key, values, "");
  }

  private JsonObject put(String key, Iterable<JsonObject> values, String before) {
    key(key).append('[');
    String separator = before;
    for (JsonObject value : values) {
      text.append(separator).append(value);
      separator = "," + before;
    }
    text.append(']');
    return this;
  }

  /** Adds an array of texts. */
  public JsonObject putTexts(String key, Iterable<String> values) {
    key(key).append('[');
    String separator = "";
    for (String value : values) {
      text.append(separator);
      quote(value);
      separator = ",";
    }
    text.append(']');
    return this;
  }

  private StringBuilder key(String key) {
    if (text.length() > 1) {
      text.append(',');
    }
    quote(key);
    return text.append(':');
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (!isPlain(c)) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  /**
   * A lone surrogate would not survive UTF-8; escaping all of them keeps pairs whole too. The other
   * control characters, line ends and non-characters JSON allows, and YAML, as which a replay reads
   * the lines, does not, or takes them for a space.
   */
  private static boolean isPlain(char c) {
    return c >= 0x20
        && (c < 0x7f || c > 0x9f)
        && c != '\u2028'
        && c != '\u2029'
        && c != '\ufeff'
        && c < '\ufffe'
        && !Character.isSurrogate(c);
  }

  @Override
  public String toString() {
    return text + "}";
  }
}
