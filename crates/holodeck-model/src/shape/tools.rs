//! Tables of `tools[]`.

use super::agent::MODEL;
use super::{
    BOOL, Field, ObjectShape, POSITIVE, Presence, STRING, STRINGS, Shape, Status, TEXT, Tagged,
    UNIT, Variant, at_least, between, field, rules,
};

/// `tools[]`.
pub(crate) static TOOL: Tagged = Tagged {
    name: "Tool",
    tag: "type",
    variants: &[
        Variant {
            tag: "function",
            shape: &FUNCTION,
            decided_by: None,
        },
        Variant {
            tag: "mcp",
            shape: &MCP,
            decided_by: None,
        },
        Variant {
            tag: "vectorstore",
            shape: &VECTORSTORE,
            decided_by: None,
        },
        Variant {
            tag: "hierarchical_document",
            shape: &HIERARCHICAL_DOCUMENT,
            decided_by: None,
        },
        Variant {
            tag: "prompt",
            shape: &PROMPT,
            decided_by: None,
        },
    ],
    hint: |_| None,
};

const NAME: Field = Field {
    key: "name",
    shape: Shape::ToolName,
    presence: Presence::Required,
    no_null: false,
    doc: "What the agent calls it by: letters, digits and `_`.",
    status: Status::Honoured,
};
const DESCRIPTION: Field = field("description", STRING, "What the model is told about it.")
    .required()
    .live();
const DEFER_LOADING: Field = field(
    "defer_loading",
    BOOL,
    "Load it when it is first looked for.",
)
.default("true")
.checked();
const NOT_RUN: &str = "this version does not start tools";

const fn kind(tag: &'static [&'static str]) -> Field {
    field("type", Shape::Enum(tag), "The kind of tool.").required()
}

pub(crate) static FUNCTION: ObjectShape = ObjectShape {
    name: "FunctionTool",
    doc: "A Python function.",
    fields: &[
        NAME,
        DESCRIPTION,
        kind(&["function"]),
        DEFER_LOADING,
        field("file", Shape::File, "The Python file.")
            .required()
            .refused(NOT_RUN),
        field("function", TEXT, "The function in it.")
            .required()
            .refused(NOT_RUN),
        field(
            "parameters",
            Shape::Map(&Shape::FreeMap),
            "JSON Schema of each parameter; else taken from the function's signature.",
        )
        .refused(NOT_RUN),
    ],
    open: false,
    rule: None,
};

pub(crate) static MCP: ObjectShape = ObjectShape {
    name: "McpTool",
    doc: "A server of the Model Context Protocol.",
    fields: &[
        NAME,
        DESCRIPTION,
        field(
            "type",
            Shape::Enum(&["mcp"]),
            "The kind of tool; must be given in `tools`.",
        )
        .default("\"mcp\""),
        DEFER_LOADING,
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
        .required_if("with `transport: stdio`")
        .refused(NOT_RUN),
        field(
            "args",
            super::list(&Shape::Argument),
            "Arguments of the command.",
        )
        .refused(NOT_RUN),
        field(
            "env",
            Shape::Map(&Shape::EnvValue),
            "Environment variables of the command.",
        )
        .refused(NOT_RUN),
        field("env_file", Shape::File, "A file of environment variables.").refused(NOT_RUN),
        field("encoding", STRING, "Encoding of its output.").live(),
        field(
            "url",
            Shape::Text,
            "Address: https or wss, or http or ws on this machine.",
        )
        .required_if("with another `transport` than stdio")
        .refused(NOT_RUN),
        field("headers", Shape::Map(&Shape::Secret), "HTTP headers.").refused(NOT_RUN),
        field("timeout", super::NOT_NEGATIVE, "Seconds for a connection.").live(),
        field(
            "sse_read_timeout",
            super::NOT_NEGATIVE,
            "Seconds between events.",
        )
        .live(),
        field(
            "terminate_on_close",
            BOOL,
            "End the server's session when ours ends.",
        )
        .live(),
        field(
            "config",
            Shape::Settings,
            "Settings of the server, such as `allowed_tools`.",
        )
        .live(),
        field("load_tools", BOOL, "Offer its tools.")
            .default("true")
            .live(),
        field("load_prompts", BOOL, "Offer its prompts.")
            .default("true")
            .live(),
        field("request_timeout", POSITIVE, "Seconds for a request.")
            .default("60")
            .live(),
        field(
            "is_retrieval",
            BOOL,
            "Its results are context for retrieval metrics.",
        )
        .default("false")
        .live(),
        field("registry_name", STRING, "Name in a registry.").checked(),
    ],
    open: false,
    rule: Some(rules::mcp),
};

static VECTORSTORE: ObjectShape = ObjectShape {
    name: "VectorstoreTool",
    doc: "Search by meaning in a store of documents. Checked; this program does not run it.",
    fields: &[
        NAME,
        DESCRIPTION,
        kind(&["vectorstore"]),
        DEFER_LOADING,
        field("source", Shape::Source, "A file, a folder or an address.")
            .required()
            .checked(),
        field(
            "vector_field",
            Shape::Either(&[STRING, STRINGS]),
            "Fields that are searched.",
        )
        .checked(),
        field("meta_fields", STRINGS, "Fields that come along.").checked(),
        field("chunk_size", POSITIVE, "Size of a piece.").checked(),
        field("chunk_overlap", at_least(0), "Overlap of pieces.").checked(),
        field("embedding_model", STRING, "Model for embeddings.").checked(),
        field(
            "embedding_dimensions",
            between(1, 10_000),
            "Dimensions of embeddings.",
        )
        .checked(),
        field(
            "database",
            Shape::Either(&[STRING, Shape::Object(&DATABASE)]),
            "Where vectors are kept: a database, or the name of one in config.yaml.",
        )
        .checked(),
        field("top_k", between(1, 100), "Results a search.")
            .default("5")
            .checked(),
        field("min_similarity_score", UNIT, "Least similarity.").checked(),
        field("record_path", STRING, "Where the records are.").checked(),
        field("record_prefix", STRING, "Prefix of record fields.").checked(),
        field("meta_prefix", STRING, "Prefix of meta fields.").checked(),
        field(
            "id_field",
            STRING,
            "Field that identifies a record; needed with `vector_field`.",
        )
        .checked(),
        field("field_separator", STRING, "Between fields that are joined.")
            .default("\"\\n\"")
            .checked(),
        field("delimiter", STRING, "Between columns.").checked(),
    ],
    open: false,
    rule: Some(rules::vectorstore),
};

const DOMAINS: Shape = Shape::Enum(&[
    "none",
    "us_legislative",
    "au_legislative",
    "academic",
    "technical",
    "legal_contract",
]);

static HIERARCHICAL_DOCUMENT: ObjectShape = ObjectShape {
    name: "HierarchicalDocumentTool",
    doc: "Search in documents by their structure. Checked; this program does not run it.",
    fields: &[
        NAME,
        DESCRIPTION,
        kind(&["hierarchical_document"]),
        field("source", Shape::Source, "A file, a folder or an address.")
            .required()
            .checked(),
        field(
            "chunking_strategy",
            Shape::Enum(&["structure", "token"]),
            "How it is cut.",
        )
        .default("\"structure\"")
        .checked(),
        field(
            "max_chunk_tokens",
            between(100, 2000),
            "Largest piece in tokens.",
        )
        .default("800")
        .checked(),
        field("chunk_overlap", between(0, 200), "Overlap in tokens.")
            .default("50")
            .checked(),
        field("document_domain", DOMAINS, "Kind of document.")
            .default("\"none\"")
            .checked(),
        field("max_subsection_depth", POSITIVE, "Deepest section.").checked(),
        field(
            "search_mode",
            Shape::Enum(&["semantic", "keyword", "hybrid"]),
            "How it is searched.",
        )
        .default("\"hybrid\"")
        .checked(),
        field("top_k", between(1, 100), "Results a search.")
            .default("10")
            .checked(),
        field("min_score", UNIT, "Least score.").checked(),
        field(
            "semantic_weight",
            UNIT,
            "Weight of meaning; in hybrid mode the three weights sum to 1.",
        )
        .default("0.5")
        .checked(),
        field("keyword_weight", UNIT, "Weight of words.")
            .default("0.3")
            .checked(),
        field("exact_weight", UNIT, "Weight of exact phrases.")
            .default("0.2")
            .checked(),
        field("rrf_k", POSITIVE, "Constant of reciprocal rank fusion.")
            .default("60")
            .checked(),
        field(
            "contextual_embeddings",
            BOOL,
            "Put each piece in context first.",
        )
        .default("true")
        .checked(),
        field(
            "context_max_tokens",
            between(50, 200),
            "Tokens of that context.",
        )
        .default("100")
        .checked(),
        field(
            "context_concurrency",
            between(1, 50),
            "Contexts written at once.",
        )
        .default("10")
        .checked(),
        field("extract_definitions", BOOL, "Find definitions.")
            .default("true")
            .checked(),
        field("extract_cross_references", BOOL, "Find cross references.")
            .default("true")
            .checked(),
        field("enable_reranking", BOOL, "Rank again with a model.")
            .default("false")
            .checked(),
        field(
            "reranker_model",
            Shape::Object(&MODEL),
            "That model; needed with `enable_reranking`.",
        )
        .checked(),
        field(
            "context_model",
            Shape::Object(&MODEL),
            "Model that writes contexts.",
        )
        .checked(),
        field("embedding_model", STRING, "Model for embeddings.").checked(),
        field(
            "database",
            Shape::Either(&[STRING, Shape::Object(&DATABASE)]),
            "Where vectors are kept: a database, or the name of one in config.yaml.",
        )
        .checked(),
        field(
            "keyword_index",
            Shape::Object(&KEYWORD_INDEX),
            "Where words are looked up.",
        )
        .checked(),
        DEFER_LOADING,
    ],
    open: false,
    rule: Some(rules::hierarchical_document),
};

static PROMPT: ObjectShape = ObjectShape {
    name: "PromptTool",
    doc: "A prompt offered as a tool. Checked; no backend runs it. Exactly one of `template` and `file`.",
    fields: &[
        NAME,
        DESCRIPTION,
        kind(&["prompt"]),
        DEFER_LOADING,
        field("template", TEXT, "The prompt.").checked(),
        field("file", Shape::File, "A file with the prompt.").checked(),
        field(
            "parameters",
            Shape::Map(&Shape::FreeMap),
            "JSON Schema of each parameter, at least one.",
        )
        .required()
        .checked(),
        field("model", Shape::Settings, "Model that answers it.").checked(),
    ],
    open: false,
    rule: Some(rules::prompt),
};

const PROVIDERS: Shape = Shape::Enum(&[
    "postgres",
    "azure-ai-search",
    "qdrant",
    "weaviate",
    "chromadb",
    "faiss",
    "azure-cosmos-mongo",
    "azure-cosmos-nosql",
    "sql-server",
    "pinecone",
    "in-memory",
]);

static DATABASE: ObjectShape = ObjectShape {
    name: "Database",
    doc: "A vector database.",
    fields: &[
        field("provider", PROVIDERS, "Which one.")
            .required()
            .checked(),
        field("connection_string", Shape::Secret, "How to reach it.").checked(),
    ],
    open: true,
    rule: None,
};

static KEYWORD_INDEX: ObjectShape = ObjectShape {
    name: "KeywordIndex",
    doc: "An index of words.",
    fields: &[
        field(
            "provider",
            Shape::Enum(&["in-memory", "opensearch"]),
            "Which one.",
        )
        .default("\"in-memory\"")
        .checked(),
        field("endpoint", STRING, "Address; needed for opensearch.").checked(),
        field(
            "index_name",
            STRING,
            "Name of the index; needed for opensearch.",
        )
        .checked(),
        field("username", STRING, "User.").checked(),
        field("password", Shape::Secret, "Password.").checked(),
        field("api_key", Shape::Secret, "Key.").checked(),
        field("verify_certs", BOOL, "Check certificates.")
            .default("true")
            .checked(),
        field("timeout_seconds", between(1, 120), "Seconds for a request.")
            .default("10")
            .checked(),
    ],
    open: true,
    rule: Some(rules::keyword_index),
};
