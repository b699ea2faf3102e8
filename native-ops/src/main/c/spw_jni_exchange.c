/* The JNI side of io.spillway.kernel.ExchangeNatives, and nothing else. */
#include "spw_exchange.h"
#include "spw_jni.h"
#include "spw_layout_exchange.h"

#define SPW_NATIVE(result, name, ...) SPW_NATIVE_OF(ExchangeNatives, result, name, ##__VA_ARGS__)

SPW_NATIVE(jint, layout, jintArray);
SPW_NATIVE(jlong, hash, jint, jlong, jint, jint, jint, jlong);
SPW_NATIVE(jlong, append, jint, jlong, jint);
SPW_NATIVE(jlong, sort, jint, jlong);
SPW_NATIVE(jlong, image, jint, jlong, jint, jint);
SPW_NATIVE(jlong, readImages, jint, jlong);

SPW_NATIVE(jint, layout, jintArray out) {
  (void)type;
  const jsize figures = (jsize)(sizeof spw_layout_exchange / sizeof spw_layout_exchange[0]);
  const jsize room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, figures < room ? figures : room, spw_layout_exchange);
  return figures;
}

SPW_NATIVE(jlong, hash, jint level, jlong columns, jint ncolumns, jint rows, jint partitions, jlong out) {
  SPW_UNUSED;
  return SPW_CALL(spw_exchange_hash, (uint64_t)columns, ncolumns, rows, partitions, (uint64_t)out);
}

SPW_NATIVE(jlong, append, jint level, jlong block, jint start) {
  SPW_UNUSED;
  return SPW_CALL(spw_exchange_append, spw_at((uint64_t)block), start);
}

SPW_NATIVE(jlong, sort, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_exchange_sort, spw_at((uint64_t)block));
}

SPW_NATIVE(jlong, image, jint level, jlong block, jint start, jint end) {
  SPW_UNUSED;
  return SPW_CALL(spw_exchange_image, spw_at((uint64_t)block), start, end);
}

SPW_NATIVE(jlong, readImages, jint level, jlong block) {
  SPW_UNUSED;
  return SPW_CALL(spw_exchange_read_images, spw_at((uint64_t)block));
}
