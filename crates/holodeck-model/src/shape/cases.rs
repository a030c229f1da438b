//! Tables of a test case and its turns.

use super::evaluations::METRIC;
use super::execution::{ON_TURN_FAILURE, REPEAT};
use super::{BOOL, Field, ObjectShape, POSITIVE, STRING, STRINGS, Shape, TEXT, field, rules};

static A_METRIC: Shape = Shape::Tagged(&METRIC);
static A_FILE: Shape = Shape::Object(&FILE_INPUT);
static A_TOOL: Shape = Shape::Either(&TOOL_FORMS);
static TOOL_FORMS: [Shape; 2] = [TEXT, Shape::Object(&EXPECTED_TOOL)];
const METRICS: Shape = super::list(&A_METRIC);
const EVALUATIONS: Field = field(
    "evaluations",
    METRICS,
    "Metrics, instead of those of the level above; an empty list means none.",
);
const GROUND_TRUTH: Field = field("ground_truth", TEXT, "The right answer. Quote numbers.");
const EXPECTED_TOOLS: Field = field(
    "expected_tools",
    super::list(&A_TOOL),
    "Tools that must be called: names, or `{name, args?, count?}`.",
);
const FILES: Field = field(
    "files",
    Shape::List {
        of: &A_FILE,
        min: 0,
        max: 10,
    },
    "Files that go with the input, at most 10.",
)
.live();
const RETRIEVAL_CONTEXT: Field = field(
    "retrieval_context",
    STRINGS,
    "Context for retrieval metrics.",
)
.live();

/// A test case.
pub static CASE: ObjectShape = ObjectShape {
    name: "TestCase",
    doc: "A conversation to play: `input` for a single turn, or `turns`.",
    fields: &[
        field("name", TEXT, "What it is known by; need not be unique."),
        field("input", TEXT, "What is said to the agent (single turn)."),
        field(
            "turns",
            Shape::List {
                of: &Shape::Object(&TURN),
                min: 1,
                max: usize::MAX,
            },
            "The turns of a conversation, at least one. The fields of a single turn then belong on the turns.",
        ),
        GROUND_TRUTH,
        EXPECTED_TOOLS,
        FILES,
        RETRIEVAL_CONTEXT,
        EVALUATIONS,
        field(
            "on_turn_failure",
            ON_TURN_FAILURE,
            "What a failed turn does to the rest, instead of `execution.on_turn_failure`.",
        ),
        field(
            "repeat",
            POSITIVE,
            "How often it is played, instead of `execution.repeat`.",
        )
        .refused(REPEAT),
    ],
    open: false,
    rule: Some(rules::case),
};

/// A turn.
pub static TURN: ObjectShape = ObjectShape {
    name: "Turn",
    doc: "One exchange of a conversation.",
    fields: &[
        field("input", TEXT, "What is said to the agent.").required(),
        GROUND_TRUTH,
        EXPECTED_TOOLS,
        FILES,
        RETRIEVAL_CONTEXT,
        EVALUATIONS,
        field(
            "turn_config",
            Shape::FreeMap,
            "Anything that your graders want to know about the turn.",
        ),
    ],
    open: false,
    rule: None,
};

static EXPECTED_TOOL: ObjectShape = ObjectShape {
    name: "ExpectedTool",
    doc: "A call that must be made in this turn.",
    fields: &[
        field(
            "name",
            TEXT,
            "A case-sensitive part of the called tool's name.",
        )
        .required(),
        field(
            "args",
            Shape::Args,
            "Arguments that must fit: a literal, `{fuzzy: \"..\"}` or `{regex: \"..\"}`. Others are free.",
        ),
        field("count", Shape::Count, "At least so many such calls.")
            .default("1")
            .no_null(),
    ],
    open: false,
    rule: None,
};

/// A file of a turn.
pub static FILE_INPUT: ObjectShape = ObjectShape {
    name: "FileInput",
    doc: "A file that goes with an input. Exactly one of `path` and `url`.",
    fields: &[
        field(
            "path",
            Shape::File,
            "A file, relative to agent.yaml's folder.",
        ),
        field("url", TEXT, "An address."),
        field(
            "type",
            Shape::Enum(&["image", "pdf", "text", "excel", "word", "powerpoint", "csv"]),
            "What it is.",
        )
        .required(),
        field("description", STRING, "What it shows."),
        field("pages", super::list(&POSITIVE), "Pages to read, from 1."),
        field("sheet", STRING, "Sheet of a workbook."),
        field("range", STRING, "Cells of a sheet."),
        field("cache", BOOL, "Keep a download."),
    ],
    open: false,
    rule: Some(rules::file_input),
};
