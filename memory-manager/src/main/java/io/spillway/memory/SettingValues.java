package io.spillway.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.network.util.JavaUtils;

/**
 * Values of settings as they were written, read as what they mean. A wrong one is an {@link
 * IllegalArgumentException} that says key, value and what is allowed.
 */
public final class SettingValues {
  private final Map<String, String> values;

  /**
   * Values to be read.
   *
   * @param values by key; one that is read must be there
   */
  public SettingValues(Map<String, String> values) {
    this.values = values;
  }

  /** A size such as {@code 128k}, in bytes. */
  long bytes(String key, long least) {
    try {
      long bytes = JavaUtils.byteStringAsBytes(values.get(key));
      if (bytes >= least) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, "a size in bytes such as 128k", e);
    }
    throw wrong(key, "a size of at least " + least + " bytes", null);
  }

  /**
   * A time such as {@code 10ms}, in milliseconds.
   *
   * @param least that is allowed, in milliseconds
   * @param most that is allowed, in milliseconds
   * @throws IllegalArgumentException if it is something else
   */
  public long millis(String key, long least, long most) {
    try {
      long millis = JavaUtils.timeStringAsMs(values.get(key));
      if (millis >= least && millis <= most) {
        return millis;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, "a time such as 10ms", e);
    }
    throw wrong(key, "a time from " + least + "ms to " + most / 1000 + "s", null);
  }

  /**
   * A whole number.
   *
   * @param least that is allowed
   * @param most that is allowed
   * @throws IllegalArgumentException if it is something else
   */
  public long number(String key, long least, long most) {
    try {
      long number = Long.parseLong(values.get(key).trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, "a whole number", e);
    }
    throw wrong(key, "a whole number from " + least + " to " + most, null);
  }

  /** Above 0 and below 1. */
  double fraction(String key) {
    try {
      double fraction = Double.parseDouble(values.get(key).trim());
      if (fraction > 0 && fraction < 1) {
        return fraction;
      }
    } catch (NumberFormatException e) {
      throw wrong(key, "a fraction such as 0.9", e);
    }
    throw wrong(key, "a fraction above 0 and below 1", null);
  }

  boolean flag(String key) {
    String value = values.get(key).trim();
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return value.equalsIgnoreCase("true");
    }
    throw wrong(key, "true or false", null);
  }

  /** One of an enumeration's names, in any case. */
  <T extends Enum<T>> T choice(String key, Class<T> type) {
    String value = values.get(key).trim();
    for (T choice : type.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    throw wrong(
        key,
        Arrays.stream(type.getEnumConstants())
            .map(choice -> choice.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or ")),
        null);
  }

  /** The error for a value that is none of what is allowed. */
  IllegalArgumentException wrong(String key, String allowed, NumberFormatException cause) {
    return new IllegalArgumentException(
        key + " must be " + allowed + ", but it is '" + values.get(key) + "'", cause);
  }
}
