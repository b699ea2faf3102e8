package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Casts between dates, timestamps and numbers. Between a date and a timestamp with time zone they
 * need one without rules.
 */
final class TimeCasts {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final ExpressionCompiler compiler;
  private final ProgramBuilder program;

  TimeCasts(ExpressionCompiler compiler) {
    this.compiler = compiler;
    this.program = compiler.program();
  }

  static boolean isTime(DataType type) {
    return type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  int compile(Cast cast, int value) throws UnsupportedException {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    if (from instanceof DateType && isTime(to)) {
      int offset = program.constant(Abi.T_I32, DateCompiler.offsetSeconds(cast, to));
      return program.binary(
          ExprAbi.OP_DAYS_TO_MICROS, Abi.T_I64, value, offset, compiler.host(cast));
    }
    if (to instanceof DateType && isTime(from)) {
      int offset = DateCompiler.offsetSeconds(cast, from);
      return program.unary(ExprAbi.OP_MICROS_TO_DAYS, Abi.T_I32, value, offset);
    }
    if (from instanceof TimestampType && !isTime(to)) {
      return fromTimestamp(value, from, to);
    }
    int digits = CastCompiler.wholeDigits(from);
    if (to instanceof TimestampType && digits > 0 && digits <= 10) {
      int seconds = compiler.casts().converted(value, Abi.T_I64);
      return program.binary(
          Abi.OP_MUL, Abi.T_I64, seconds, program.constant(Abi.T_I64, MICROS_PER_SECOND), 0);
    }
    throw CastCompiler.unsupported(from, to);
  }

  private int fromTimestamp(int value, DataType from, DataType to) throws UnsupportedException {
    if (to instanceof BooleanType) {
      return program.binary(Abi.OP_NE, Abi.T_BOOL, value, program.constant(Abi.T_I64, 0L), 0);
    }
    if (to instanceof DoubleType) {
      int micros = program.constant(Abi.T_F64, (double) MICROS_PER_SECOND);
      int whole = compiler.casts().converted(value, Abi.T_F64);
      return program.binary(Abi.OP_DIV, Abi.T_F64, whole, micros, 0);
    }
    if (CastCompiler.wholeDigits(to) == 0) {
      throw CastCompiler.unsupported(from, to);
    }
    int micros = program.constant(Abi.T_I64, MICROS_PER_SECOND);
    int seconds = program.binary(ExprAbi.OP_FLOOR_DIV, Abi.T_I64, value, micros, 0);
    return compiler.casts().converted(seconds, NativeTypes.of(to).getAsInt());
  }
}
