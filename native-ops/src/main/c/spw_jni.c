/*
 * The JNI side of io.spillway.kernel.Natives, and nothing else.
 */
#include "spw_jni.h"

#include "spw_agg.h"
#include "spw_agg_emit.h"
#include "spw_columns.h"
#include "spw_expr.h"
#include "spw_index.h"
#include "spw_layout.h"
#include "spw_level.h"
#include "spw_page.h"
#include "spw_unsafe_row.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(Natives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, abiVersion);
SPW_NATIVE(jint, cpuLevel);
SPW_NATIVE(jstring, resultText, jint);
SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, eval, jint, jlong);
SPW_NATIVE(jlong, aggAdd, jint, jlong, jlong);
SPW_NATIVE(jlong, aggMergePage, jint, jlong, jlong, jlong);
SPW_NATIVE(jlong, aggInitGroup, jint, jlong);
SPW_NATIVE(jlong, indexBuild, jint, jlong, jint);
SPW_NATIVE(jlong, pageInit, jint, jlong, jint);
SPW_NATIVE(jlong, pageCheck, jint, jlong, jlong, jint);
SPW_NATIVE(jlong, aggEmit, jint, jlong);
SPW_NATIVE(jlong, rowsToColumns, jint, jlong);
SPW_NATIVE(jlong, columnsToRows, jint, jlong, jint);
SPW_NATIVE(jlong, select, jint, jlong, jlong, jint, jlong);
SPW_NATIVE(jlong, take, jint, jlong, jlong, jint, jlong, jint);
SPW_NATIVE(jlong, dictionary, jint, jint, jlong, jint, jlong, jlong, jint, jlong);
SPW_NATIVE(jlong, strings, jint, jlong, jlong, jlong, jlong, jlong, jint, jlong);
SPW_NATIVE(jlong, decimals, jint, jlong, jlong, jlong, jlong, jlong, jint, jlong);
SPW_NATIVE(jlong, widen, jint, jint, jlong, jint, jlong);

SPW_NATIVE(jint, abiVersion) {
  SPW_UNUSED;
  return SPW_ABI_VERSION;
}

SPW_NATIVE(jint, cpuLevel) {
  SPW_UNUSED;
  return spw_cpu_level();
}

SPW_NATIVE(jstring, resultText, jint code) {
  (void)type;
  switch (code) {
#define X(name, value, text) \
  case value: return (*env)->NewStringUTF(env, text);
    SPW_RESULTS(X)
#undef X
    default: return NULL;
  }
}

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout / sizeof spw_layout[0]), room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout);
  return figures;
}

SPW_NATIVE(jlong, eval, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_eval, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, aggAdd, jint level, jlong block, jlong start) {
  SPW_UNUSED;
  return SPW_CALL(spw_agg_add, spw_at((uint64_t)block), start);
}

SPW_NATIVE(jlong, aggMergePage, jint level, jlong block, jlong page, jlong start) {
  SPW_UNUSED;
  return SPW_CALL(spw_agg_merge_page, spw_at((uint64_t)block), (uint64_t)page, start);
}

SPW_NATIVE(jlong, aggInitGroup, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_agg_init_group, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, indexBuild, jint level, jlong partition, jint row_width) {
  SPW_UNUSED;
  return SPW_CALL(spw_index_build, spw_at((uint64_t)partition), row_width);
}

SPW_NATIVE(jlong, pageInit, jint level, jlong page, jint capacity) {
  SPW_UNUSED;
  return SPW_CALL(spw_page_init, (uint64_t)page, (uint32_t)capacity);
}

SPW_NATIVE(jlong, pageCheck, jint level, jlong block, jlong page, jint capacity) {
  SPW_UNUSED;
  return SPW_CALL(spw_page_check, spw_at((uint64_t)block), (uint64_t)page, (uint32_t)capacity);
}

SPW_NATIVE(jlong, aggEmit, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_agg_emit, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, rowsToColumns, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_rows_to_columns, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, columnsToRows, jint level, jlong block, jint start) {
  SPW_UNUSED;
  return SPW_CALL(spw_columns_to_rows, spw_at((uint64_t)block), start);
}

SPW_NATIVE(jlong, select, jint level, jlong values, jlong nulls, jint rows, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_select, (uint64_t)values, (uint64_t)nulls, rows, (uint64_t)out);
}

SPW_NATIVE(jlong, take, jint level, jlong in, jlong out, jint ncolumns, jlong selection, jint count) {
  SPW_UNUSED;
  return SPW_CALL(spw_take, (uint64_t)in, (uint64_t)out, ncolumns, (uint64_t)selection, count);
}

SPW_NATIVE(jlong, dictionary, jint level, jint of, jlong dictionary, jint entries, jlong ids, jlong nulls, jint rows,
           jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_dictionary, of, (uint64_t)dictionary, entries, (uint64_t)ids, (uint64_t)nulls, rows,
                  (uint64_t)out);
}

SPW_NATIVE(jlong, strings, jint level, jlong offsets, jlong lengths, jlong data, jlong data_bytes, jlong nulls,
           jint rows, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_strings, (uint64_t)offsets, (uint64_t)lengths, (uint64_t)data, (uint64_t)data_bytes,
                  (uint64_t)nulls, rows, (uint64_t)out);
}

SPW_NATIVE(jlong, decimals, jint level, jlong offsets, jlong lengths, jlong data, jlong data_bytes, jlong nulls,
           jint rows, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_decimals, (uint64_t)offsets, (uint64_t)lengths, (uint64_t)data, (uint64_t)data_bytes,
                  (uint64_t)nulls, rows, (uint64_t)out);
}

SPW_NATIVE(jlong, widen, jint level, jint from, jlong in, jint rows, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_widen, from, (uint64_t)in, rows, (uint64_t)out);
}
