/* The JNI face of spw_pages.h for io.spillway.memory.NativePages; nothing but calls. */
#include <jni.h>

#include "spw_pages.h"

JNIEXPORT jint JNICALL Java_io_spillway_memory_NativePages_abiVersion(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return spw_pages_abi_version();
}

JNIEXPORT jlong JNICALL Java_io_spillway_memory_NativePages_pageSize(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return spw_pages_page_size();
}

JNIEXPORT jlong JNICALL Java_io_spillway_memory_NativePages_map(JNIEnv *env, jclass type, jlong bytes) {
  (void)env;
  (void)type;
  return spw_pages_map(bytes);
}

JNIEXPORT jlong JNICALL Java_io_spillway_memory_NativePages_unmap(JNIEnv *env, jclass type, jlong address,
                                                                  jlong bytes) {
  (void)env;
  (void)type;
  return spw_pages_unmap(address, bytes);
}

JNIEXPORT jlong JNICALL Java_io_spillway_memory_NativePages_discard(JNIEnv *env, jclass type, jlong address,
                                                                    jlong bytes) {
  (void)env;
  (void)type;
  return spw_pages_discard(address, bytes);
}
