package io.spillway.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** JSON files whose fields are those of a record. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** One line for each value. */
  public static final ObjectMapper LINES = new ObjectMapper();

  private Json() {}

  /** Reads a file that {@link #write} wrote. */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(file.toFile(), type);
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
    }
  }

  /** Writes a file that is either there whole or not there. */
  public static void write(Path file, Object value) throws IOException {
    writeWhole(file, MAPPER.writeValueAsString(value) + "\n");
  }

  /** Writes text to a file that is either there whole or not there. */
  public static void writeWhole(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    Files.createDirectories(parent);
    // Not createTempFile: what it makes only its owner may read, and a pipeline's next step may be
    // another user.
    Path making = parent.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      Files.writeString(making, text);
      Files.move(making, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(making);
    }
  }
}
