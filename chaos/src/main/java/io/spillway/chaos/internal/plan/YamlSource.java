package io.spillway.chaos.internal.plan;

import io.spillway.chaos.PlanException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * One YAML text, composed into nodes and no further: no object is ever constructed from a tag, and
 * every node knows its line.
 */
final class YamlSource {
  /** A plan is a page or two; what is larger is not a plan. */
  static final int MAX_CHARACTERS = 256 * 1024;

  private final String name;
  private final int linesBefore;
  private final int mostCharacters;

  YamlSource(String name) {
    this(name, 0);
  }

  /**
   * @param linesBefore lines of the file before the text
   */
  YamlSource(String name, int linesBefore) {
    this(name, linesBefore, MAX_CHARACTERS);
  }

  private YamlSource(String name, int linesBefore, int mostCharacters) {
    this.name = name;
    this.linesBefore = linesBefore;
    this.mostCharacters = mostCharacters;
  }

  /** For a text that a program of ours has written: it is as long as it had to be. */
  static YamlSource ofAnyLength(String name) {
    return new YamlSource(name, 0, Integer.MAX_VALUE);
  }

  /**
   * The text of a file, of which no more is read than is allowed.
   *
   * @param what how messages call it
   * @throws PlanException if it cannot be read or is too large
   */
  static String text(Path file, String what) {
    // A character takes four bytes at most: what is larger has too many, and is not loaded. The
    // bytes are counted while reading, because a device or a pipe says that it has none.
    int mostBytes = 4 * MAX_CHARACTERS;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(mostBytes + 1);
      if (bytes.length > mostBytes) {
        throw new PlanException(
            file.toString(),
            0,
            "%s has more than %d bytes; %d characters are allowed"
                .formatted(what, mostBytes, MAX_CHARACTERS));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new PlanException(file.toString(), 0, what + " is not UTF-8 text", e);
    } catch (NoSuchFileException e) {
      throw new PlanException(
          file.toString(), 0, "there is no such file; " + what + " is wanted there, as YAML", e);
    } catch (IOException e) {
      throw new PlanException(
          file.toString(), 0, what + " cannot be read: " + e.getClass().getSimpleName(), e);
    }
  }

  /** The only document of the text. */
  Node compose(String yaml) {
    if (yaml.length() > mostCharacters) {
      throw problem(
          0,
          "the plan has " + yaml.length() + " characters where " + mostCharacters + " are allowed");
    }
    LoadSettings settings =
        LoadSettings.builder().setLabel(name).setCodePointLimit(mostCharacters).build();
    Optional<Node> root;
    try {
      root = new Compose(settings).composeString(yaml);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      throw new PlanException(name, line + linesBefore, "this is not YAML: " + e.getProblem(), e);
    } catch (StackOverflowError e) {
      // The parser goes down a level with each bracket.
      throw new PlanException(name, linesBefore, "this is nested too deeply for a plan", e);
    } catch (YamlEngineException e) {
      throw new PlanException(name, linesBefore, "this is not YAML: " + oneLine(e.getMessage()), e);
    }
    return root.orElseThrow(() -> problem(0, "the plan is empty; it needs version and rules"));
  }

  PlanException problem(Node at, String problem) {
    return problem(line(at), problem);
  }

  PlanException problem(int line, String problem) {
    return new PlanException(name, line + linesBefore, problem);
  }

  static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private static String oneLine(String message) {
    return message == null ? "no message" : message.replaceAll("\\s+", " ");
  }
}
