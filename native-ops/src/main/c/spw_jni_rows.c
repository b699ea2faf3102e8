/* The JNI side of io.spillway.kernel.RowsNatives, and nothing else. */
#include "spw_jni.h"

#include "spw_layout_rows.h"
#include "spw_rows.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(RowsNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, append, jint, jlong, jlong);
SPW_NATIVE(jlong, gather, jint, jlong);
SPW_NATIVE(jlong, check, jint, jlong, jlong, jint);
SPW_NATIVE(jlong, hash, jint, jlong, jint, jint, jlong, jlong);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_rows / sizeof spw_layout_rows[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_rows);
  return figures;
}

SPW_NATIVE(jlong, append, jint level, jlong block, jlong start) {
  SPW_UNUSED;
  return SPW_CALL(spw_rows_append, spw_at((uint64_t)block), start);
}

SPW_NATIVE(jlong, gather, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_rows_gather, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, check, jint level, jlong block, jlong page, jint capacity) {
  SPW_UNUSED;
  return SPW_CALL(spw_rows_check, spw_at((uint64_t)block), (uint64_t)page, (uint32_t)capacity);
}

SPW_NATIVE(jlong, hash, jint level, jlong columns, jint ncolumns, jint rows, jlong out, jlong any_null) {
  SPW_UNUSED;
  return SPW_CALL(spw_rows_hash, (uint64_t)columns, ncolumns, rows, (uint64_t)out, (uint64_t)any_null);
}
