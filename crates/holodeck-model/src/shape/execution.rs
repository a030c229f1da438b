//! Tables of `execution` and of config.yaml.

use super::agent::MODEL;
use super::{
    BOOL, NOT_NEGATIVE, ObjectShape, POSITIVE, STRING, Shape, TEXT, TEXTS, deployment, field, tools,
};

/// What `on_turn_failure` may be.
pub(crate) const ON_TURN_FAILURE: Shape = Shape::Enum(&["continue", "stop"]);
/// Why `repeat` is refused.
pub(crate) const REPEAT: &str = "this version plays each test case once";
const FILES: &str = "this version does not read files or download";

/// `execution`: each field is a setting with a layer in every source (rule L13).
pub(crate) static EXECUTION: ObjectShape = ObjectShape {
    name: "Execution",
    doc: "How a run is carried out. Each has a `HOLODECK_*` variable of its name in capitals, used where no file sets it.",
    fields: &[
        field(
            "llm_timeout",
            POSITIVE,
            "Seconds for one turn, retries and tool calls included.",
        )
        .default("60"),
        field("file_timeout", POSITIVE, "Seconds for reading one file.")
            .default("30")
            .warned(FILES),
        field("download_timeout", POSITIVE, "Seconds for one download.")
            .default("30")
            .warned(FILES),
        field(
            "cache_enabled",
            BOOL,
            "Keep what was read from files and downloads.",
        )
        .default("true")
        .warned(FILES),
        field("cache_dir", STRING, "Where it is kept.")
            .default("\".holodeck/cache\"")
            .warned(FILES),
        field("verbose", BOOL, "Show passed turns too.").default("false"),
        field("quiet", BOOL, "Show only the summary.").default("false"),
        field("parallel_test_cases", POSITIVE, "Test cases at once.").default("1"),
        field(
            "on_turn_failure",
            ON_TURN_FAILURE,
            "What a failed turn does to the rest of its test case.",
        )
        .default("\"continue\""),
        field(
            "repeat",
            POSITIVE,
            "How often each test case is played; it passes when all repetitions do.",
        )
        .default("1")
        .refused(REPEAT),
        field(
            "python",
            TEXT,
            "The Python that graders run in: a path relative to agent.yaml, or a name. Else `$VIRTUAL_ENV/bin/python`, a `.venv` beside agent.yaml, `python3`.",
        ),
        field(
            "grader_path",
            TEXTS,
            "Folders to find graders in after agent.yaml's, relative to it.",
        )
        .default("[]"),
        field(
            "secrets",
            TEXTS,
            "Variables whose values are masked in everything written.",
        )
        .default("[]"),
        field("max_tool_rounds", POSITIVE, "Rounds of tool calls a turn.")
            .default("25")
            .live(),
        field(
            "max_concurrent_requests",
            POSITIVE,
            "Requests to a model at once.",
        )
        .live(),
        field(
            "max_requests_per_minute",
            POSITIVE,
            "Requests to a model a minute.",
        )
        .live(),
        field(
            "tool_overrides",
            Shape::Map(&Shape::Tagged(&OVERRIDE)),
            "Tools to run instead of declared ones, by their names.",
        )
        .refused("this version does not start tools"),
        field("wordnet", TEXT, "Folder of the WordNet files for `meteor`.").live(),
        field(
            "retrieval_tools",
            TEXTS,
            "Tools whose results are context for retrieval metrics.",
        )
        .live(),
    ],
    open: false,
    rule: None,
};

/// What may stand in for a declared tool; name and description are the declared one's.
static OVERRIDE: super::Tagged = super::Tagged {
    name: "ToolOverride",
    tag: "type",
    variants: &[
        super::Variant {
            tag: "function",
            shape: &FUNCTION_OVERRIDE,
            decided_by: Some("function"),
        },
        super::Variant {
            tag: "mcp",
            shape: &MCP_OVERRIDE,
            decided_by: None,
        },
    ],
    hint: |_| None,
};

static FUNCTION_OVERRIDE: ObjectShape = ObjectShape {
    name: "FunctionOverride",
    doc: "A Python function in place of a declared tool.",
    fields: &[
        field("type", Shape::Enum(&["function"]), "The kind of tool.").default("\"function\""),
        field("file", Shape::File, "The Python file.").required(),
        field("function", TEXT, "The function in it.").required(),
        field(
            "parameters",
            Shape::Map(&Shape::FreeMap),
            "JSON Schema of each parameter.",
        ),
    ],
    open: false,
    rule: None,
};

static MCP_OVERRIDE: ObjectShape = ObjectShape {
    name: "McpOverride",
    doc: "A server of the Model Context Protocol in place of a declared tool.",
    fields: &[
        field("type", Shape::Enum(&["mcp"]), "The kind of tool.").default("\"mcp\""),
        field(
            "transport",
            Shape::Enum(&["stdio", "sse", "websocket", "http"]),
            "How it is reached.",
        )
        .default("\"stdio\""),
        field(
            "command",
            Shape::Enum(&["npx", "node", "uvx", "docker"]),
            "What starts it.",
        )
        .required_if("with `transport: stdio`"),
        field(
            "args",
            super::list(&Shape::Argument),
            "Arguments of the command.",
        ),
        field(
            "env",
            Shape::Map(&Shape::EnvValue),
            "Environment variables of the command.",
        ),
        field(
            "url",
            TEXT,
            "Address: https or wss, or http or ws on this machine.",
        )
        .required_if("with another `transport` than stdio"),
        field("headers", Shape::Map(&Shape::Secret), "HTTP headers."),
    ],
    open: false,
    rule: Some(super::rules::mcp),
};

/// config.yaml, beside agent.yaml and in `~/.holodeck`.
pub static PROJECT: ObjectShape = ObjectShape {
    name: "Project",
    doc: "Settings that several agents share: config.yaml or config.yml beside agent.yaml, and in `~/.holodeck`.",
    fields: &[
        field(
            "providers",
            Shape::Map(&Shape::Object(&MODEL)),
            "Models by provider: they fill in what an agent's `model` leaves out.",
        ),
        field(
            "vectorstores",
            Shape::Map(&Shape::Object(&VECTORSTORE)),
            "Databases by name.",
        )
        .checked(),
        field(
            "execution",
            Shape::Object(&EXECUTION),
            "Execution settings.",
        ),
        field(
            "deployment",
            Shape::Object(&deployment::DEPLOYMENT),
            "Deployment.",
        )
        .warned("deploying belongs to the Python HoloDeck"),
        field(
            "mcp_servers",
            super::list(&Shape::Object(&tools::MCP)),
            "Tools of every agent; an agent's own of the same name wins.",
        ),
        field(
            "prices",
            Shape::Map(&Shape::Object(&PRICE)),
            "Prices by model, in USD per million tokens.",
        )
        .live(),
    ],
    open: false,
    rule: None,
};

static VECTORSTORE: ObjectShape = ObjectShape {
    name: "Vectorstore",
    doc: "A database that tools refer to by name.",
    fields: &[
        field("provider", STRING, "Which one.").required().checked(),
        field("connection_string", Shape::Secret, "How to reach it.")
            .required()
            .checked(),
        field("options", Shape::Settings, "Its settings.").checked(),
    ],
    open: false,
    rule: None,
};

static PRICE: ObjectShape = ObjectShape {
    name: "Price",
    doc: "Prices of a model, in USD per million tokens.",
    fields: &[
        field("input", NOT_NEGATIVE, "Tokens read.")
            .required()
            .live(),
        field("output", NOT_NEGATIVE, "Tokens written.")
            .required()
            .live(),
        field("cached", NOT_NEGATIVE, "Tokens read from a cache.").live(),
    ],
    open: false,
    rule: None,
};
