#pragma once

// The C face of emitted code: what the headers that `wick compile --c-api` writes have in common.
// For C11 and for C++; nothing else of the runtime is needed to call a model through it.
//
// A program that takes any model asks for its wick_model, by name or with dlsym:
//
//   const wick_model* model = digits_model();
//   void* arena = aligned_alloc(model->arena_alignment, model->arena_bytes);
//   const void* inputs[] = {pixels};
//   void* outputs[] = {logits, probabilities};
//   model->run(NULL, NULL, inputs, outputs, arena);

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Stands before each function: C linkage, and visible from outside of a shared library.
#ifdef __cplusplus
#define WICK_C_API extern "C" __attribute__((visibility("default")))
#else
#define WICK_C_API __attribute__((visibility("default")))
#endif

#define WICK_MAX_RANK 8

typedef enum wick_dtype {
  WICK_F32,
  WICK_F64,
  WICK_I8,
  WICK_U8,
  WICK_I32,
  WICK_I64,
  WICK_BOOL  // one byte, 0 or 1
} wick_dtype;

// A tensor that a model takes or gives: row-major, packed.
typedef struct wick_tensor {
  const char* name;  // in the graph, UTF-8
  wick_dtype dtype;
  int rank;
  int64_t shape[WICK_MAX_RANK];
  size_t bytes;
  bool overwritten;  // an input that the model may write to
} wick_tensor;

// Everything that a caller needs to know. What a model does not have is 0 or NULL.
typedef struct wick_model {
  const char* name;
  size_t arena_bytes;  // memory whose contents mean nothing before and after a call
  size_t arena_alignment;
  size_t state_bytes;  // memory that lives across calls; all zero before the first one
  size_t state_alignment;
  const char* weights_file;  // the packed file, if the caller hands its bytes in
  size_t weights_bytes;
  size_t weights_alignment;
  uint64_t weights_hash;  // XXH64 of these bytes
  size_t input_count;     // of run
  const wick_tensor* inputs;
  size_t output_count;
  const wick_tensor* outputs;
  size_t parameter_count;  // of bind
  const wick_tensor* parameters;
  // Tensors in the order of the tables; weights, state and arena may be NULL if there are none.
  void (*run)(const void* weights, void* state, const void* const* inputs, void* const* outputs,
              void* arena);
  // Parameters, before the first call; the tensors stay the caller's.
  void (*bind)(void* state, const void* const* parameters);
  // Forgets cached values. No call may run.
  void (*reset)(void* state);
  // Emitted with --weights=file: maps the packed file and compares its checksum. NULL if that
  // fails, and the reason in *error, which may be NULL and is not to be freed.
  const void* (*open_weights)(const char* path, const char** error);
  void (*close_weights)(const void* weights);
} wick_model;
