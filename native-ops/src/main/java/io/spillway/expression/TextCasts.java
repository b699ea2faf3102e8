package io.spillway.expression;

import io.spillway.kernel.Abi;
import io.spillway.kernel.ExprAbi;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;

/**
 * Casts from and to strings. The plain forms are read and written by the kernels, all others by
 * Spark's own code; so is what the kernels have no form for.
 */
final class TextCasts {
  private final ExpressionCompiler compiler;
  private final ProgramBuilder program;

  TextCasts(ExpressionCompiler compiler) {
    this.compiler = compiler;
    this.program = compiler.program();
  }

  int compile(Cast cast, int value) throws UnsupportedException {
    DataType from = cast.child().dataType();
    DataType to = cast.dataType();
    if (to instanceof StringType) {
      return toText(cast, value, from);
    }
    if (to instanceof BinaryType) {
      if (!(from instanceof StringType)) {
        throw CastCompiler.unsupported(from, to);
      }
      // The same bytes.
      return value;
    }
    if (from instanceof BinaryType) {
      throw CastCompiler.unsupported(from, to);
    }
    if (CastCompiler.wholeDigits(to) > 0) {
      int type = NativeTypes.of(to).getAsInt();
      return program.unary(ExprAbi.OP_STR_TO_INT, type, value, compiler.host(cast));
    }
    if (to instanceof DateType) {
      return program.unary(ExprAbi.OP_STR_TO_DATE, Abi.T_I32, value, compiler.host(cast));
    }
    return compiler.hosted(cast);
  }

  private int toText(Cast cast, int value, DataType from) throws UnsupportedException {
    if (from instanceof BinaryType) {
      return value;
    }
    if (from instanceof BooleanType) {
      int written = program.select(value, text("true"), text("false"));
      int isNull = program.unary(Abi.OP_IS_NULL, Abi.T_BOOL, value, 0);
      return program.select(isNull, program.constant(Abi.T_STR, null), written);
    }
    if (CastCompiler.wholeDigits(from) > 0) {
      int type = program.typeOf(value) == Abi.T_I64 ? Abi.T_I64 : Abi.T_I32;
      int number = compiler.casts().converted(value, type);
      return program.unary(ExprAbi.OP_INT_TO_STR, Abi.T_STR, number, 0);
    }
    if (from instanceof DateType) {
      DateCompiler.requireNoLegacyFormats();
      return program.unary(ExprAbi.OP_DATE_TO_STR, Abi.T_STR, value, compiler.host(cast));
    }
    if (from instanceof DecimalType decimal) {
      int scale = program.constant(Abi.T_I32, decimal.scale());
      return program.binary(ExprAbi.OP_DEC_TO_STR, Abi.T_STR, value, scale, compiler.host(cast));
    }
    return compiler.hosted(cast);
  }

  private int text(String text) {
    return program.constant(Abi.T_STR, text.getBytes(StandardCharsets.US_ASCII));
  }
}
