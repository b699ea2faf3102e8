package io.spillway.drill;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.spillway.report.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A query's rows in a file: the schema on the first line, then one JSON array of texts for each
 * row. A text says the value exactly ({@code Double.toString}, every digit of a decimal), so that
 * two files can be compared without Spark.
 *
 * @param columns name and type of each column
 * @param rows the rows in the order in which the query gave them; a null stays null
 */
public record ResultFile(List<Column> columns, List<List<String>> rows) {

  /** A column's name and Spark's name of its type. */
  public record Column(String name, String type) {
    /** Whether its values may differ in their last digits. */
    @JsonIgnore
    public boolean isFloating() {
      return type.equals("double") || type.equals("float");
    }
  }

  /** The schema line. */
  record Header(List<Column> columns) {}

  /** Rows as they came from Spark, in no file. */
  public static ResultFile of(StructType schema, List<Row> rows) {
    return new ResultFile(columns(schema), rows.stream().map(ResultFile::texts).toList());
  }

  private static List<Column> columns(StructType schema) {
    List<Column> columns = new ArrayList<>();
    for (var field : schema.fields()) {
      columns.add(new Column(field.name(), field.dataType().catalogString()));
    }
    return columns;
  }

  /** Writes rows as they came from Spark. */
  public static void write(Path file, StructType schema, List<Row> rows) throws IOException {
    List<Column> columns = columns(schema);
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(Json.LINES.writeValueAsString(new Header(columns)));
      out.newLine();
      for (Row row : rows) {
        out.write(Json.LINES.writeValueAsString(texts(row)));
        out.newLine();
      }
    }
  }

  /** Reads a file that {@link #write} wrote. */
  public static ResultFile read(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      String first = in.readLine();
      if (first == null) {
        throw new IOException(file + " is empty");
      }
      List<Column> columns = Json.LINES.readValue(first, Header.class).columns();
      List<List<String>> rows = new ArrayList<>();
      var type = Json.LINES.getTypeFactory().constructCollectionType(List.class, String.class);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> row = Json.LINES.readValue(line, type);
        if (row.size() != columns.size()) {
          throw new IOException(
              file + " has " + row.size() + " values in a row of " + columns.size());
        }
        rows.add(row);
      }
      return new ResultFile(columns, rows);
    }
  }

  private static List<String> texts(Row row) {
    List<String> texts = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      texts.add(ResultText.of(row.get(i)));
    }
    return texts;
  }
}
