//! Tables of `observability`. The block is checked and one warning says that nothing is exported.

use super::{
    BOOL, Field, ObjectShape, POSITIVE, STRING, STRINGS, Shape, UNIT, at_least, between, field,
};

/// Fields of a block that is checked as a whole.
const fn kept(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    field(key, shape, doc).checked()
}

pub(crate) static OBSERVABILITY: ObjectShape = ObjectShape {
    name: "Observability",
    doc: "What the Python HoloDeck exports through OpenTelemetry.",
    fields: &[
        kept("enabled", BOOL, "Whether anything is exported.").default("false"),
        kept(
            "disable_provider_tracing",
            BOOL,
            "Switches the provider's own tracing off.",
        )
        .default("false"),
        kept("service_name", STRING, "Name of the service."),
        kept("traces", Shape::Object(&TRACES), "Traces.").default("{}"),
        kept("metrics", Shape::Object(&METRICS), "Metrics.").default("{}"),
        kept("logs", Shape::Object(&LOGS), "Logs.").default("{}"),
        kept("exporters", Shape::Object(&EXPORTERS), "Where they go.").default("{}"),
        kept(
            "resource_attributes",
            Shape::Map(&Shape::String),
            "Attributes of everything exported.",
        )
        .default("{}"),
    ],
    open: false,
    rule: None,
};

static TRACES: ObjectShape = ObjectShape {
    name: "Traces",
    doc: "Traces.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("true"),
        kept("sample_rate", UNIT, "Share of traces kept.").default("1.0"),
        kept("capture_content", BOOL, "Keep prompts and answers.").default("false"),
        kept(
            "capture_evaluation_content",
            BOOL,
            "Keep what evaluations read.",
        )
        .default("false"),
        kept(
            "redaction_patterns",
            STRINGS,
            "Patterns of text to leave out.",
        )
        .default("[]"),
        kept("max_queue_size", POSITIVE, "Longest queue.").default("2048"),
        kept("max_export_batch_size", POSITIVE, "Largest batch.").default("512"),
        kept(
            "schedule_delay_millis",
            at_least(100),
            "Delay between batches in ms.",
        )
        .default("2000"),
    ],
    open: false,
    rule: None,
};

static METRICS: ObjectShape = ObjectShape {
    name: "ExportedMetrics",
    doc: "Metrics.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("true"),
        kept("export_interval_ms", at_least(1000), "Interval in ms.").default("5000"),
    ],
    open: false,
    rule: None,
};

static LOGS: ObjectShape = ObjectShape {
    name: "Logs",
    doc: "Logs.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("true"),
        kept(
            "level",
            Shape::Enum(&["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]),
            "Least level.",
        )
        .default("\"INFO\""),
        kept("include_trace_context", BOOL, "Add trace ids.").default("true"),
        kept("filter_namespaces", STRINGS, "Loggers left out.").default("[\"semantic_kernel\"]"),
    ],
    open: false,
    rule: None,
};

static EXPORTERS: ObjectShape = ObjectShape {
    name: "Exporters",
    doc: "Where traces, metrics and logs go.",
    fields: &[
        kept("console", Shape::Object(&CONSOLE), "The terminal."),
        kept("otlp", Shape::Object(&OTLP), "An OTLP collector."),
        kept(
            "prometheus",
            Shape::Object(&PROMETHEUS),
            "A Prometheus endpoint.",
        ),
        kept(
            "azure_monitor",
            Shape::Object(&AZURE_MONITOR),
            "Azure Monitor.",
        ),
    ],
    open: false,
    rule: None,
};

static CONSOLE: ObjectShape = ObjectShape {
    name: "ConsoleExporter",
    doc: "The terminal.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("true"),
        kept("pretty_print", BOOL, "Laid out for reading.").default("true"),
        kept("include_timestamps", BOOL, "With times.").default("true"),
    ],
    open: false,
    rule: None,
};

static OTLP: ObjectShape = ObjectShape {
    name: "OtlpExporter",
    doc: "An OTLP collector.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("true"),
        kept("endpoint", STRING, "Address.").default("\"http://localhost:4317\""),
        kept("protocol", Shape::Enum(&["grpc", "http"]), "Protocol.").default("\"grpc\""),
        kept("headers", Shape::Map(&Shape::Secret), "Headers.").default("{}"),
        kept("timeout_ms", at_least(1000), "Timeout in ms.").default("30000"),
        kept("compression", STRING, "Compression."),
        kept("insecure", BOOL, "Without TLS.").default("true"),
    ],
    open: false,
    rule: None,
};

static PROMETHEUS: ObjectShape = ObjectShape {
    name: "PrometheusExporter",
    doc: "A Prometheus endpoint.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("false"),
        kept("port", between(1024, 65535), "Port.").default("8889"),
        kept("host", STRING, "Address to listen on.").default("\"0.0.0.0\""),
        kept("path", STRING, "Path.").default("\"/metrics\""),
    ],
    open: false,
    rule: None,
};

static AZURE_MONITOR: ObjectShape = ObjectShape {
    name: "AzureMonitorExporter",
    doc: "Azure Monitor.",
    fields: &[
        kept("enabled", BOOL, "On or off.").default("false"),
        kept("connection_string", Shape::Secret, "Connection string."),
        kept("disable_offline_storage", BOOL, "Keep nothing on disk.").default("false"),
        kept(
            "storage_directory",
            STRING,
            "Folder for what could not be sent.",
        ),
    ],
    open: false,
    rule: None,
};
