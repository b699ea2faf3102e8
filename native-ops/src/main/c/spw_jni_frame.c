/* The JNI side of io.spillway.kernel.FrameNatives, and nothing else. */
#include "spw_jni.h"

#include "spw_frame.h"
#include "spw_layout_frame.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(FrameNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, bounds, jint, jlong);
SPW_NATIVE(jlong, seek, jint, jlong, jint);
SPW_NATIVE(jlong, start, jint, jlong);
SPW_NATIVE(jlong, run, jint, jlong, jint, jint);
SPW_NATIVE(jlong, find, jint, jlong);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_frame / sizeof spw_layout_frame[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_frame);
  return figures;
}

SPW_NATIVE(jlong, bounds, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_frame_bounds, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, seek, jint level, jlong block, jint row) {
  SPW_UNUSED;
  return SPW_CALL(spw_frame_seek, spw_at((uint64_t)block), row);
}

SPW_NATIVE(jlong, start, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_frame_start, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, run, jint level, jlong block, jint function, jint row) {
  SPW_UNUSED;
  return SPW_CALL(spw_frame_run, spw_at((uint64_t)block), function, row);
}

SPW_NATIVE(jlong, find, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_frame_find, spw_at((uint64_t)block));
}
