package io.spillway.tpch;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The tables of TPC-H in Parquet. Prices are decimal(12,2), dates are dates. Stateless. */
public final class TpchTables {
  /** Raised whenever the rows or their types change, so that older tables are not taken. */
  private static final int VERSION = 2;

  private static final List<TpchTable<?>> TABLES =
      List.of(
          TpchTable.CUSTOMER,
          TpchTable.ORDERS,
          TpchTable.LINE_ITEM,
          TpchTable.PART,
          TpchTable.PART_SUPPLIER,
          TpchTable.SUPPLIER,
          TpchTable.NATION,
          TpchTable.REGION);
  private static final List<TpchTable<?>> SMALL = List.of(TpchTable.NATION, TpchTable.REGION);
  private static final DataType DECIMAL = DataTypes.createDecimalType(12, 2);
  private static final int FILES = 4;

  private TpchTables() {}

  /** Writes every table below a folder that must not have them yet. */
  public static void write(SparkSession spark, Path directory, double scale) {
    for (TpchTable<?> table : TABLES) {
      write(spark, directory, table, scale);
    }
  }

  private static <E extends TpchEntity> void write(
      SparkSession spark, Path directory, TpchTable<E> table, double scale) {
    String name = table.getTableName();
    int files = SMALL.contains(table) ? 1 : FILES;
    List<Integer> parts = IntStream.rangeClosed(1, files).boxed().toList();
    // A table is no value that Spark could send to a task: its name is.
    JavaRDD<Row> rows =
        new JavaSparkContext(spark.sparkContext())
            .parallelize(parts, files)
            .flatMap(part -> rows(TpchTable.getTable(name), scale, part, files));
    spark.createDataFrame(rows, schema(table)).write().parquet(directory.resolve(name).toString());
  }

  /** The folder of a scale's tables below one for all scales: another one for another generator. */
  public static Path directory(Path root, String scale) {
    return root.resolve(scale + "-" + VERSION);
  }

  /** Makes the tables known to a session by name. */
  public static void register(SparkSession spark, Path directory) {
    for (TpchTable<?> table : TABLES) {
      spark
          .read()
          .parquet(directory.resolve(table.getTableName()).toString())
          .createOrReplaceTempView(table.getTableName());
    }
  }

  private static <E extends TpchEntity> Iterator<Row> rows(
      TpchTable<E> table, double scale, int part, int parts) {
    List<TpchColumn<E>> columns = table.getColumns();
    Iterator<E> entities = table.createGenerator(scale, part, parts).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entities.hasNext();
      }

      @Override
      public Row next() {
        E entity = entities.next();
        return RowFactory.create(columns.stream().map(column -> value(column, entity)).toArray());
      }
    };
  }

  private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
    return switch (column.getType().getBase()) {
      case IDENTIFIER -> column.getIdentifier(entity);
      case INTEGER -> column.getInteger(entity);
      case DATE -> LocalDate.ofEpochDay(column.getDate(entity));
      case DOUBLE ->
          BigDecimal.valueOf(column.getDouble(entity)).setScale(2, RoundingMode.HALF_EVEN);
      case VARCHAR -> column.getString(entity);
    };
  }

  private static StructType schema(TpchTable<?> table) {
    StructType schema = new StructType();
    for (TpchColumn<?> column : table.getColumns()) {
      schema = schema.add(column.getColumnName(), type(column.getType()), false);
    }
    return schema;
  }

  private static DataType type(TpchColumnType type) {
    return switch (type.getBase()) {
      case IDENTIFIER -> DataTypes.LongType;
      case INTEGER -> DataTypes.IntegerType;
      case DATE -> DataTypes.DateType;
      case DOUBLE -> DECIMAL;
      case VARCHAR -> DataTypes.StringType;
    };
  }
}
