/* The JNI side of io.spillway.kernel.JoinNatives, and nothing else. */
#include "spw_jni.h"

#include "spw_join.h"
#include "spw_layout_join.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(JoinNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, spread, jint, jlong, jint, jlong, jlong);
SPW_NATIVE(jlong, having, jint, jlong, jint, jint, jlong);
SPW_NATIVE(jlong, index, jint, jlong, jint, jint);
SPW_NATIVE(jlong, probe, jint, jlong);
SPW_NATIVE(jlong, mark, jint, jlong, jlong, jint, jint);
SPW_NATIVE(jlong, unmatched, jint, jlong, jint, jint, jint);
SPW_NATIVE(jlong, keep, jint, jlong, jint, jint, jlong, jlong, jlong);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_join / sizeof spw_layout_join[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_join);
  return figures;
}

SPW_NATIVE(jlong, spread, jint level, jlong keyless, jint rows, jlong hashes, jlong seed) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_spread, (uint64_t)keyless, rows, (uint64_t)hashes, (uint64_t)seed);
}

SPW_NATIVE(jlong, having, jint level, jlong bytes, jint rows, jint mask, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_having, (uint64_t)bytes, rows, mask, (uint64_t)out);
}

SPW_NATIVE(jlong, index, jint level, jlong block, jint partition, jint page) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_index, spw_at((uint64_t)block), partition, page);
}

SPW_NATIVE(jlong, probe, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_probe, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, mark, jint level, jlong block, jlong selection, jint count, jint builds) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_mark, spw_at((uint64_t)block), (uint64_t)selection, count, builds);
}

SPW_NATIVE(jlong, unmatched, jint level, jlong block, jint partition, jint page, jint start) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_unmatched, spw_at((uint64_t)block), partition, page, start);
}

SPW_NATIVE(jlong, keep, jint level, jlong columns, jint ncolumns, jint rows, jlong text, jlong capacity, jlong need) {
  SPW_UNUSED;
  return SPW_CALL(spw_join_keep, (uint64_t)columns, ncolumns, rows, (uint64_t)text, (uint64_t)capacity,
                  (uint64_t)need);
}
