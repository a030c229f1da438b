//! Tables of the scripted file: replies to play instead of an agent's.

use super::{ObjectShape, STRING, Shape, TEXT, at_least, field, list, rules};

static A_TURN: Shape = Shape::Object(&SCRIPTED_TURN);
const TURNS: Shape = list(&A_TURN);

/// The scripted file (YAML or JSON).
pub static SCRIPTED: ObjectShape = ObjectShape {
    name: "Scripted",
    doc: "Replies to play instead of an agent's.",
    fields: &[
        field(
            "cases",
            Shape::Map(&Shape::Either(&[TURNS, Shape::Object(&OPEN_ERROR)])),
            "By a test case's name, or `#3` for the fourth test case: its turns, or why it can't be opened.",
        ),
        field(
            "default",
            TURNS,
            "Turns for test cases not named; `{{input}}`, `{{turn}}` and `{{case}}` are filled in.",
        ),
    ],
    open: false,
    rule: None,
};

/// One line of a scripted JSONL file.
pub static SCRIPTED_CASE: ObjectShape = ObjectShape {
    name: "ScriptedCase",
    doc: "One line of a scripted JSONL file.",
    fields: &[
        field("case", TEXT, "A test case's name, or `#3` for the fourth.").required(),
        field("turns", TURNS, "Its turns."),
        field("open_error", TEXT, "Why its session can't be opened."),
    ],
    open: false,
    rule: Some(rules::scripted_case),
};

static OPEN_ERROR: ObjectShape = ObjectShape {
    name: "OpenError",
    doc: "A test case whose session can't be opened.",
    fields: &[field("open_error", TEXT, "Why.").required()],
    open: false,
    rule: None,
};

static SCRIPTED_TURN: ObjectShape = ObjectShape {
    name: "ScriptedTurn",
    doc: "What the agent does in one turn. Something must be there: a response, a tool call or a fault.",
    fields: &[
        field("response", STRING, "What it says; may be empty."),
        field(
            "tool_calls",
            list(&Shape::Object(&TOOL_CALL)),
            "The calls that it makes first.",
        ),
        field("usage", Shape::Object(&USAGE), "Tokens."),
        field("delay_ms", at_least(0), "Waits this long first, in ms.").default("0"),
        field(
            "fault",
            Shape::Enum(&["error", "rate_limited", "session_error", "fatal"]),
            "What goes wrong after that: the turn, a rate limit, the session on this turn, the session for good.",
        ),
        field("message", TEXT, "What the fault says."),
    ],
    open: false,
    rule: Some(rules::scripted_turn),
};

static TOOL_CALL: ObjectShape = ObjectShape {
    name: "ScriptedToolCall",
    doc: "A tool call.",
    fields: &[
        field("name", TEXT, "The tool's full name.").required(),
        field(
            "args",
            Shape::FreeMap,
            "Its arguments, kept exactly as written.",
        ),
        field("result", Shape::Free, "What it gives back."),
        field("error", TEXT, "Why it fails."),
        field("duration_ms", at_least(0), "How long it takes, in ms."),
    ],
    open: false,
    rule: Some(rules::scripted_tool_call),
};

static USAGE: ObjectShape = ObjectShape {
    name: "ScriptedUsage",
    doc: "Tokens of a turn.",
    fields: &[
        field("prompt_tokens", at_least(0), "Read.").required(),
        field("completion_tokens", at_least(0), "Written.").required(),
        field(
            "total_tokens",
            at_least(0),
            "In all, at least the sum of the two.",
        ),
        field("cache_creation_tokens", at_least(0), "Written to a cache."),
        field("cache_read_tokens", at_least(0), "Read from a cache."),
    ],
    open: false,
    rule: Some(rules::scripted_usage),
};
