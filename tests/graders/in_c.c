/* Graders in C, good and bad, for the tests of the interface. Built against docs/reference/grader.h alone. */
#include "grader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(holodeck_bytes) == 24, "as in Rust");
_Static_assert(sizeof(holodeck_graders) == 40, "as in Rust");
_Static_assert(offsetof(holodeck_graders, version) == 8, "as in Rust");
_Static_assert(offsetof(holodeck_graders, describe) == 16, "as in Rust");
_Static_assert(offsetof(holodeck_graders, call) == 24, "as in Rust");
_Static_assert(offsetof(holodeck_graders, free) == 32, "as in Rust");
#endif

/* Buffers that are out; what the host does not give back once, or gives back twice, shows. */
static int n_out = 0;

static int32_t give(const char *text, holodeck_bytes *out, int32_t status) {
    out->len = strlen(text);
    out->data = (uint8_t *)malloc(out->len + 1);
    memcpy(out->data, text, out->len);
    n_out++;
    return status;
}

static int32_t describe(holodeck_bytes *out) {
    return give("{\"graders\": [\"polite\", \"prints\", \"n_out\", \"fails\", \"fails_in_json\", \"odd_status\", \"garbage\", "
                "\"nothing\", \"nowhere\", \"text_score\", \"typing_error\", \"bad\", \"lines\", \"unknown\"]}",
                out, HOLODECK_OK);
}

static int contains(const char *text, size_t len, const char *part) {
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= len; i++)
        if (memcmp(text + i, part, n) == 0) return 1;
    return 0;
}

static int32_t call(const char *name, size_t name_len, const char *context, size_t context_len, holodeck_bytes *out) {
#define IS(text) (name_len == strlen(text) && memcmp(name, text, name_len) == 0)
    char text[80];
    if (IS("polite"))
        return give(contains(context, context_len, "please") ? "{\"score\": 1}" : "{\"score\": 0, \"reason\": \"no \\\"please\\\"\"}", out,
                    HOLODECK_OK);
    if (IS("prints")) {
        printf("from C, unflushed");
        return give("{\"score\": 1}", out, HOLODECK_OK);
    }
    if (IS("n_out")) {
        snprintf(text, sizeof text, "{\"score\": 0, \"details\": {\"n_out\": %d}}", n_out);
        return give(text, out, HOLODECK_OK);
    }
    if (IS("fails")) return give("in plain words", out, HOLODECK_RAISED);
    if (IS("fails_in_json")) return give("{\"kind\": \"IoError\", \"message\": \"no disk\", \"trace\": \"in_c.c\"}", out, HOLODECK_RAISED);
    if (IS("odd_status")) return give("x", out, 77);
    if (IS("garbage")) return give("\xff{", out, HOLODECK_OK);
    if (IS("nothing")) {
        n_out++;
        return HOLODECK_OK;
    }
    if (IS("nowhere")) {
        n_out++;
        out->len = 5;
        return HOLODECK_OK;
    }
    if (IS("text_score")) return give("{\"score\": \"1\"}", out, HOLODECK_OK);
    if (IS("typing_error")) return give("{\"score\": 1, \"pased\": false}", out, HOLODECK_OK);
    if (IS("bad")) return give("{\"message\": \"not to my liking\"}", out, HOLODECK_BAD_RESULT);
    if (IS("lines")) return give("{\n\"score\":\n\n 0.5}\n", out, HOLODECK_OK);
    n_out++;
    return HOLODECK_UNKNOWN;
}

static void free_bytes(holodeck_bytes bytes) {
    n_out--;
    free(bytes.data);
}

HOLODECK_EXPORT const holodeck_graders *holodeck_graders_v1(void) {
    static const holodeck_graders table = {sizeof table, HOLODECK_VERSION, 0, describe, call, free_bytes};
    return &table;
}
