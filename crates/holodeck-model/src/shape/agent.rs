//! Tables of agent.yaml itself, its model and its instructions.

use super::{
    Field, ObjectShape, POSITIVE, STRING, Shape, TEXT, UNIT, backends, deployment, evaluations,
    execution, field, observability, rules, tools,
};

/// agent.yaml.
pub(crate) static AGENT: ObjectShape = ObjectShape {
    name: "Agent",
    doc: "An agent and its test cases.",
    fields: &[
        field("name", TEXT, "What the agent is called.").required(),
        field("description", TEXT, "What it is for."),
        field("author", TEXT, "Who made it."),
        field("model", Shape::Object(&MODEL), "Who answers.").required(),
        field(
            "instructions",
            Shape::Object(&INSTRUCTIONS),
            "What the agent is told first.",
        )
        .required_if("but for agents that bring their own: `scripted`, `command`, `http`"),
        field(
            "response_format",
            Shape::Either(&[Shape::File, Shape::FreeMap]),
            "A JSON Schema that replies must follow, or a file with one.",
        )
        .live(),
        field(
            "tools",
            Shape::List {
                of: &Shape::Tagged(&tools::TOOL),
                min: 0,
                max: 50,
            },
            "Tools that the agent may call, at most 50, each with a name of its own.",
        )
        .live(),
        field(
            "evaluations",
            Shape::Object(&evaluations::EVALUATIONS),
            "How answers are graded.",
        ),
        field("test_cases", Shape::Cases, "The conversations to play."),
        field(
            "test_cases_file",
            TEXT,
            "A file that holds them instead: YAML, JSON, or JSONL with a test case a line; relative to agent.yaml.",
        ),
        field(
            "execution",
            Shape::Object(&execution::EXECUTION),
            "How a run is carried out.",
        ),
        field(
            "observability",
            Shape::Object(&observability::OBSERVABILITY),
            "OpenTelemetry.",
        )
        .warned("nothing is exported through OpenTelemetry"),
        field(
            "deployment",
            Shape::Object(&deployment::DEPLOYMENT),
            "Deployment.",
        )
        .warned("deploying belongs to the Python HoloDeck"),
        field(
            "embedding_provider",
            Shape::Object(&MODEL),
            "Model for embeddings.",
        )
        .warned("no tool that needs embeddings is run"),
        field(
            "claude",
            Shape::Object(&backends::CLAUDE),
            "Settings of the Claude Agent SDK.",
        )
        .warned("the Claude Agent SDK is not used"),
        field(
            "openai",
            Shape::Object(&backends::OPENAI),
            "Settings of the OpenAI Agents SDK.",
        )
        .warned("the OpenAI Agents SDK is not used"),
    ],
    open: false,
    rule: Some(rules::agent),
};

/// Exactly one of two.
pub(crate) static INSTRUCTIONS: ObjectShape = ObjectShape {
    name: "Instructions",
    doc: "What the agent is told first. Exactly one of `file` and `inline`.",
    fields: &[
        field(
            "file",
            Shape::File,
            "A file, relative to agent.yaml's folder; YAML front matter (`version`, `author`, `description`, `tags`) is kept apart.",
        ),
        field("inline", TEXT, "The text itself."),
    ],
    open: false,
    rule: Some(rules::instructions),
};

/// Providers of the Python HoloDeck, then ours.
pub(crate) const PROVIDERS: &[&str] = &[
    "openai",
    "azure_openai",
    "anthropic",
    "ollama",
    "scripted",
    "command",
    "http",
];

const TEMPERATURE: Field = field(
    "temperature",
    Shape::Float {
        min: Some("0"),
        above: None,
        max: Some("2"),
    },
    "Randomness.",
)
.default("0.3")
.live();

/// A model, or another program that answers.
pub(crate) static MODEL: ObjectShape = ObjectShape {
    name: "Model",
    doc: "Who answers. What is left out is taken from config.yaml's `providers`.",
    fields: &[
        field("provider", Shape::Enum(PROVIDERS), "`scripted` plays replies from a file, `command` starts a program, `http` asks a server, the others are model services.").required(),
        field("name", TEXT, "The model; for `scripted` the file with the replies, relative to agent.yaml.")
            .required_if("but for `command` and `http`"),
        TEMPERATURE,
        field("max_tokens", POSITIVE, "Most tokens of a reply.").default("1000").live(),
        field("top_p", UNIT, "Nucleus sampling.").live(),
        field("endpoint", STRING, "Address of the service; needed for `azure_openai` and `http`.")
            .required_if("for `azure_openai` and `http`")
            .live(),
        field("api_key", Shape::Secret, "Key; else from the provider's usual variable.").live(),
        field("api_version", STRING, "Version of the service's interface.").live(),
        field(
            "auth_provider",
            Shape::Enum(&["api_key", "oauth_token", "bedrock", "vertex", "foundry", "custom"]),
            "How to prove who asks.",
        )
        .live(),
        field(
            "command",
            Shape::List {
                of: &Shape::Argument,
                min: 1,
                max: usize::MAX,
            },
            "Program and arguments of a `command` agent; a program with a `/` in it is a path from agent.yaml's folder.",
        )
        .required_if("for `command`"),
    ],
    open: false,
    rule: Some(rules::model),
};
