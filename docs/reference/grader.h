/* Graders for holodeck in C, C++, Zig ... : version 1 of the interface between a library of graders and its host.
 *
 * A library exports one function, holodeck_graders_v1, that gives a table of three others:
 *
 *     #include "grader.h"
 *     #include <stdlib.h>
 *     #include <string.h>
 *
 *     static int32_t write_text(const char *text, holodeck_bytes *out, int32_t status) {
 *         out->data = (uint8_t *)strdup(text);
 *         out->len = out->data ? strlen(text) : 0;
 *         return status;
 *     }
 *     static int32_t describe(holodeck_bytes *out) {
 *         return write_text("{\"graders\": [\"polite\"]}", out, HOLODECK_OK);
 *     }
 *     static int32_t call(const char *name, size_t name_len, const char *context, size_t context_len, holodeck_bytes *out) {
 *         if (name_len != 6 || memcmp(name, "polite", 6) != 0) return HOLODECK_UNKNOWN;
 *         ... judge `context` ...
 *         return write_text("{\"score\": 1.0}", out, HOLODECK_OK);
 *     }
 *     static void free_bytes(holodeck_bytes bytes) { free(bytes.data); }
 *
 *     HOLODECK_EXPORT const holodeck_graders *holodeck_graders_v1(void) {
 *         static const holodeck_graders table = {sizeof table, HOLODECK_VERSION, 0, describe, call, free_bytes};
 *         return &table;
 *     }
 *
 *     cc -shared -fPIC -o libmanners.so manners.c      ->   {type: code, grader: "manners:polite"}
 *
 * All texts are UTF-8 without a terminating null. Functions may be called from several threads at once and must not unwind
 * (no C++ exception may leave them). The library is never unloaded. What it prints is captured and kept out of the way.
 */
#ifndef HOLODECK_GRADER_H
#define HOLODECK_GRADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this file. A host refuses a table of another one. */
#define HOLODECK_VERSION 1

/* What `call` returns. With all but HOLODECK_OK the output is a failure: {"kind": "...", "message": "...", "trace": "..."}, of
 * which only `message` is needed, or any text. */
#define HOLODECK_OK 0         /* the output is a result */
#define HOLODECK_RAISED 1     /* the grader failed */
#define HOLODECK_BAD_RESULT 2 /* what the grader made is no result */
#define HOLODECK_PANICKED 3   /* the grader panicked */
#define HOLODECK_UNKNOWN 4    /* there is no grader of that name */

/* Bytes that the library made. The host hands each back to `free` once, empty ones too. */
typedef struct holodeck_bytes {
    uint8_t *data;   /* NULL where there are none */
    size_t len;
    size_t capacity; /* for the library's own use */
} holodeck_bytes;

typedef struct holodeck_graders {
    size_t size;       /* sizeof(holodeck_graders) */
    uint32_t version;  /* HOLODECK_VERSION */
    uint32_t reserved; /* 0 */

    /* Writes {"graders": ["name", ...]} and returns HOLODECK_OK. *out is all zeros before, here and below. */
    int32_t (*describe)(holodeck_bytes *out);

    /* Judges one turn.
     *
     * In: the grader's name, and the context, a JSON object with the keys turn_input, agent_response (text), ground_truth (text or
     * null), tool_invocations (list of {name, args, result, error, duration_ms, bytes}), retrieval_context (list of text or null),
     * turn_index (from 0), test_case_name (text or null), turn_config (object), previous_turns (list of {turn_input,
     * agent_response, ground_truth, tool_invocations}). More may come: ignore what you do not know.
     *
     * Out: {"score": 0.5, "passed": null, "reason": null, "details": null}. `score` is 0 to 1; the others may be left out; `passed` is
     * true, false, or null (the score decides); `reason` text; `details` an object. Any other key is refused. At most 64 MiB. */
    int32_t (*call)(const char *name, size_t name_len, const char *context, size_t context_len, holodeck_bytes *out);

    /* Frees what `describe` or `call` wrote. */
    void (*free)(holodeck_bytes bytes);
} holodeck_graders;

#if defined(__GNUC__) || defined(__clang__)
#define HOLODECK_EXPORT __attribute__((visibility("default")))
#else
#define HOLODECK_EXPORT
#endif

/* What the library exports. Never NULL; the table lives as long as the library. */
HOLODECK_EXPORT const holodeck_graders *holodeck_graders_v1(void);

#ifdef __cplusplus
}
#endif

#endif
