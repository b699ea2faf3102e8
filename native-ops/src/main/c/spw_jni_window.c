/* The JNI side of io.spillway.kernel.WindowNatives, and nothing else. */
#include "spw_jni.h"

#include "spw_layout_window.h"
#include "spw_window.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(WindowNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, mark, jint, jlong);
SPW_NATIVE(jlong, keep, jint, jlong);
SPW_NATIVE(jlong, run, jint, jlong, jint, jint);
SPW_NATIVE(jlong, end, jint, jlong, jint);
SPW_NATIVE(jlong, spreadOver, jint, jlong, jint);
SPW_NATIVE(jlong, spreadSkip, jint, jlong, jint);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_window / sizeof spw_layout_window[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_window);
  return figures;
}

SPW_NATIVE(jlong, mark, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_mark, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, keep, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_keep, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, run, jint level, jlong block, jint from, jint to) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_run, spw_at((uint64_t)block), from, to);
}

SPW_NATIVE(jlong, end, jint level, jlong block, jint partition) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_end, spw_at((uint64_t)block), partition);
}

SPW_NATIVE(jlong, spreadOver, jint level, jlong block, jint rows) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_spread_over, spw_at((uint64_t)block), rows);
}

SPW_NATIVE(jlong, spreadSkip, jint level, jlong block, jint rows) {
  SPW_UNUSED;
  return SPW_CALL(spw_window_spread_skip, spw_at((uint64_t)block), rows);
}
