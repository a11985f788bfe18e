// The way into libFuzzer for a program with a main of its own (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a
// library"). Declared here because its header comes with the sources of LLVM, not with a toolchain.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
