/* The JNI side of io.spillway.kernel.ExprAbi: the numbers of the operations, for the test of the ABI. */
#include <jni.h>

#include "spw_abi.h"

#define SPW_EXPR_NUMBER(name, value, text) value,
static const jint operations[] = {SPW_EXPR_OPS(SPW_EXPR_NUMBER)};

JNIEXPORT jint JNICALL Java_io_spillway_kernel_ExprNatives_operations(JNIEnv *, jclass, jintArray);
JNIEXPORT jint JNICALL Java_io_spillway_kernel_ExprNatives_operations(JNIEnv *env, jclass type, jintArray out) {
  (void)type;
  const jsize count = (jsize)(sizeof operations / sizeof operations[0]), room = (*env)->GetArrayLength(env, out);
  (*env)->SetIntArrayRegion(env, out, 0, count < room ? count : room, operations);
  return count;
}
