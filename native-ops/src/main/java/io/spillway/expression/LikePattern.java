package io.spillway.expression;

import io.spillway.kernel.ExprAbi;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A constant pattern of LIKE in the kernels' form. Stateless. */
final class LikePattern {
  private LikePattern() {}

  /**
   * The pattern's bytes, its wildcards and escapes resolved.
   *
   * @throws UnsupportedException for a pattern that Spark refuses, or whose meaning in a regular
   *     expression is not that of its characters
   */
  static byte[] encode(String pattern, char escape) throws UnsupportedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (Character.isSurrogate(c)) {
        throw new UnsupportedException("a pattern with characters outside the basic plane");
      }
      if (c == escape) {
        i++;
        char escaped = i < pattern.length() ? pattern.charAt(i) : 0;
        if (i == pattern.length() || (escaped != '_' && escaped != '%' && escaped != escape)) {
          throw new UnsupportedException("a pattern that is not valid");
        }
        append(bytes, escaped);
      } else if (c == '%') {
        bytes.write(ExprAbi.LIKE_MANY);
      } else if (c == '_') {
        bytes.write(ExprAbi.LIKE_ONE);
      } else {
        append(bytes, c);
      }
    }
    return bytes.toByteArray();
  }

  private static void append(ByteArrayOutputStream bytes, char c) {
    bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
  }
}
