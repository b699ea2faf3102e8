/* What the JNI files share: the choice of a build by its level, and the names that Java looks for. */
#ifndef SPW_JNI_H
#define SPW_JNI_H

#include <jni.h>

#include "spw_base.h"

#if defined(__x86_64__)
#define SPW_CALL(name, ...)                     \
  (level == 0   ? name##_baseline(__VA_ARGS__)  \
   : level == 1 ? name##_avx2(__VA_ARGS__)      \
                : SPW_BAD_ARGUMENT)
#else
#define SPW_CALL(name, ...) (level == 0 ? name##_baseline(__VA_ARGS__) : SPW_BAD_ARGUMENT)
#endif

#define SPW_UNUSED (void)env, (void)type

/* A native method of a class in io.spillway.kernel. */
#define SPW_NATIVE_OF(class, result, name, ...) \
  JNIEXPORT result JNICALL Java_io_spillway_kernel_##class##_##name(JNIEnv *env, jclass type, ##__VA_ARGS__)

#endif
