/* The JNI side of io.spillway.kernel.SortNatives, and nothing else. */
#include "spw_jni.h"

#include "spw_layout_sort.h"
#include "spw_sort.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(SortNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, index, jint, jlong, jint, jint, jlong, jint);
SPW_NATIVE(jlong, entries, jint, jlong, jlong, jlong, jint);
SPW_NATIVE(jlong, start, jint, jlong);
SPW_NATIVE(jlong, merge, jint, jlong, jlong, jint);
SPW_NATIVE(jlong, skip, jint, jlong);
SPW_NATIVE(jlong, first, jint, jlong);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_sort / sizeof spw_layout_sort[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_sort);
  return figures;
}

SPW_NATIVE(jlong, index, jint level, jlong block, jint page, jint first, jlong entries, jint room) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_index, spw_at((uint64_t)block), (uint32_t)page, (uint32_t)first, (uint64_t)entries,
                  (uint32_t)room);
}

SPW_NATIVE(jlong, entries, jint level, jlong block, jlong entries, jlong scratch, jint count) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_entries, spw_at((uint64_t)block), (uint64_t)entries, (uint64_t)scratch, (uint32_t)count);
}

SPW_NATIVE(jlong, start, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_start, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, merge, jint level, jlong block, jlong page, jint max_rows) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_merge, spw_at((uint64_t)block), (uint64_t)page, (uint32_t)max_rows);
}

SPW_NATIVE(jlong, skip, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_skip, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, first, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_sort_first_select, spw_at((uint64_t)block));
}
