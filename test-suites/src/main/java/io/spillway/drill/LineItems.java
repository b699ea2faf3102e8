package io.spillway.drill;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Iterator;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** TPC-H's lineitem as Spark rows: decimals are decimal(12,2), dates are dates. */
final class LineItems {
  private static final DataType DECIMAL = DataTypes.createDecimalType(12, 2);

  static final StructType SCHEMA =
      new StructType()
          .add("l_orderkey", DataTypes.LongType, false)
          .add("l_partkey", DataTypes.LongType, false)
          .add("l_suppkey", DataTypes.LongType, false)
          .add("l_linenumber", DataTypes.IntegerType, false)
          .add("l_quantity", DECIMAL, false)
          .add("l_extendedprice", DECIMAL, false)
          .add("l_discount", DECIMAL, false)
          .add("l_tax", DECIMAL, false)
          .add("l_returnflag", DataTypes.StringType, false)
          .add("l_linestatus", DataTypes.StringType, false)
          .add("l_shipdate", DataTypes.DateType, false)
          .add("l_commitdate", DataTypes.DateType, false)
          .add("l_receiptdate", DataTypes.DateType, false)
          .add("l_shipinstruct", DataTypes.StringType, false)
          .add("l_shipmode", DataTypes.StringType, false)
          .add("l_comment", DataTypes.StringType, false);

  private LineItems() {}

  /** Part {@code part} of {@code parts}, counted from 1, of the table at the scale factor. */
  static Iterator<Row> rows(double scale, int part, int parts) {
    Iterator<LineItem> items = new LineItemGenerator(scale, part, parts).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return items.hasNext();
      }

      @Override
      public Row next() {
        return row(items.next());
      }
    };
  }

  private static Row row(LineItem item) {
    return RowFactory.create(
        item.getOrderKey(),
        item.getPartKey(),
        item.getSupplierKey(),
        item.getLineNumber(),
        BigDecimal.valueOf(item.getQuantity() * 100L, 2),
        BigDecimal.valueOf(item.getExtendedPriceInCents(), 2),
        BigDecimal.valueOf(item.getDiscountPercent(), 2),
        BigDecimal.valueOf(item.getTaxPercent(), 2),
        item.getReturnFlag(),
        item.getStatus(),
        LocalDate.ofEpochDay(item.getShipDate()),
        LocalDate.ofEpochDay(item.getCommitDate()),
        LocalDate.ofEpochDay(item.getReceiptDate()),
        item.getShipInstructions(),
        item.getShipMode(),
        item.getComment());
  }
}
