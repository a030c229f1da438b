//! Tables of `claude` and `openai`: settings of the agent programs that the Python HoloDeck drives.
//! Each block is checked and one warning says that it is not acted on.

use super::{BOOL, Field, ObjectShape, POSITIVE, STRING, STRINGS, Shape, between, field, rules};

/// Fields of a block that is checked as a whole.
const fn kept(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    field(key, shape, doc).checked()
}

const EFFORT: Shape = Shape::Enum(&["low", "medium", "high", "max"]);
const BUDGET: Shape = Shape::Float {
    min: None,
    above: Some("0"),
    max: None,
};

pub(crate) static OPENAI: ObjectShape = ObjectShape {
    name: "OpenAi",
    doc: "Settings of the OpenAI Agents SDK.",
    fields: &[
        kept(
            "max_concurrent_sessions",
            between(1, 500),
            "Sessions at once.",
        ),
        kept(
            "session_memory_estimate_mib",
            between(50, 2000),
            "Memory a session is thought to need, in MiB.",
        )
        .default("100"),
        kept("max_turns", POSITIVE, "Model replies a turn.").default("20"),
        kept(
            "i_understand_this_is_unsafe",
            BOOL,
            "Consent to unsafe settings.",
        )
        .default("false"),
        kept("disable_default_hooks", BOOL, "Without the default hooks.").default("false"),
        kept(
            "disable_subprocess_env_scrub",
            BOOL,
            "Leaves the environment of child processes as it is.",
        )
        .default("false"),
        kept(
            "permissions",
            Shape::Object(&PERMISSIONS),
            "Tools that may be used.",
        ),
        kept("effort", EFFORT, "Reasoning effort."),
        kept("max_budget_usd", BUDGET, "Most money to spend."),
        kept("fallback_model", STRING, "Model to fall back to."),
        kept("disallowed_tools", STRINGS, "Tools that may not be used."),
    ],
    open: false,
    rule: None,
};

static PERMISSIONS: ObjectShape = ObjectShape {
    name: "OpenAiPermissions",
    doc: "Tools that may be used.",
    fields: &[
        kept("allowed_tools", STRINGS, "Only these."),
        kept("disallowed_tools", STRINGS, "Not these."),
    ],
    open: false,
    rule: None,
};

pub(crate) static CLAUDE: ObjectShape = ObjectShape {
    name: "Claude",
    doc: "Settings of the Claude Agent SDK.",
    fields: &[
        kept("working_directory", STRING, "Folder it works in."),
        kept(
            "permission_mode",
            Shape::Enum(&["manual", "acceptEdits", "acceptAll"]),
            "What it may do unasked.",
        )
        .default("\"manual\""),
        kept("max_turns", POSITIVE, "Model replies a turn."),
        kept(
            "max_concurrent_sessions",
            between(1, 500),
            "Sessions at once.",
        ),
        kept(
            "session_memory_estimate_mib",
            between(50, 2000),
            "Memory a session is thought to need, in MiB.",
        )
        .default("500"),
        kept(
            "extended_thinking",
            Shape::Object(&THINKING),
            "Extended thinking.",
        ),
        kept("web_search", BOOL, "May search the web.").default("false"),
        kept("bash", Shape::Object(&BASH), "May run shell commands."),
        kept("file_system", Shape::Object(&FILE_SYSTEM), "May use files."),
        kept(
            "agents",
            Shape::Map(&Shape::Object(&SUBAGENT)),
            "Subagents by name.",
        ),
        kept("allowed_tools", STRINGS, "Only these tools."),
        kept("effort", EFFORT, "Reasoning effort."),
        kept("max_budget_usd", BUDGET, "Most money to spend."),
        kept("fallback_model", STRING, "Model to fall back to."),
        kept("disallowed_tools", STRINGS, "Not these tools."),
        kept(
            "setting_sources",
            super::list(&Shape::Enum(&["user", "project", "local", "all"])),
            "Where its own settings come from; `all` stands alone.",
        ),
        kept(
            "i_understand_this_is_unsafe",
            BOOL,
            "Consent to unsafe settings.",
        )
        .default("false"),
        kept("disable_default_hooks", BOOL, "Without the default hooks.").default("false"),
        kept(
            "disable_subprocess_env_scrub",
            BOOL,
            "Leaves the environment of child processes as it is.",
        )
        .default("false"),
    ],
    open: false,
    rule: Some(rules::claude),
};

static SUBAGENT: ObjectShape = ObjectShape {
    name: "Subagent",
    doc: "A subagent. Exactly one of `prompt` and `prompt_file`.",
    fields: &[
        kept("description", STRING, "What it is for.").required(),
        kept("prompt", STRING, "Its instructions."),
        kept("prompt_file", Shape::File, "A file with its instructions."),
        kept("tools", STRINGS, "Tools that it may use."),
        kept(
            "model",
            Shape::Enum(&["sonnet", "opus", "haiku", "inherit"]),
            "Its model.",
        ),
    ],
    open: false,
    rule: Some(rules::subagent),
};

static THINKING: ObjectShape = ObjectShape {
    name: "ExtendedThinking",
    doc: "Extended thinking.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("false"),
        kept("budget_tokens", between(1000, 100_000), "Tokens for it.").default("10000"),
    ],
    open: false,
    rule: None,
};

static BASH: ObjectShape = ObjectShape {
    name: "Bash",
    doc: "Shell commands.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("false"),
        kept(
            "excluded_commands",
            STRINGS,
            "Commands that may not be run.",
        )
        .default("[]"),
        kept("allow_unsafe", BOOL, "Also unsafe ones.").default("false"),
    ],
    open: false,
    rule: None,
};

static FILE_SYSTEM: ObjectShape = ObjectShape {
    name: "FileSystem",
    doc: "Use of files.",
    fields: &[
        kept("read", BOOL, "May read.").default("false"),
        kept("write", BOOL, "May write.").default("false"),
        kept("edit", BOOL, "May edit.").default("false"),
    ],
    open: false,
    rule: None,
};

/// `evaluations.optimizer`.
pub(crate) static OPTIMIZER: ObjectShape = ObjectShape {
    name: "Optimizer",
    doc: "Settings of the Python HoloDeck's `test optimize`.",
    fields: &[
        kept("loss", Shape::Map(&super::FLOAT), "Weight of each metric.").required(),
        kept("axes", Shape::FreeMap, "What may be changed."),
        kept("max_cycles", POSITIVE, "Most rounds.").default("3"),
        kept(
            "numeric_phase",
            Shape::FreeMap,
            "The phase that changes numbers.",
        ),
        kept(
            "textual_phase",
            Shape::FreeMap,
            "The phase that changes texts.",
        ),
        kept("min_delta", super::NOT_NEGATIVE, "Least improvement.").default("0.01"),
        kept(
            "seed",
            Shape::Int {
                min: None,
                max: None,
            },
            "Seed.",
        )
        .default("42"),
    ],
    open: false,
    rule: None,
};
