/*
 * What the JNI files share: a level chooses the build, the result is the kernel's own. A level that
 * this library has not is a bad argument.
 */
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

#endif
