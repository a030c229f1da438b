//! Tables of `evaluations` and its metrics.

use super::agent::MODEL;
use super::{
    BOOL, FLOAT, Field, NOT_NEGATIVE, ObjectShape, POSITIVE, STRINGS, Shape, TEXT, Tagged, UNIT,
    Variant, backends, between, field, rules,
};

pub(crate) static EVALUATIONS: ObjectShape = ObjectShape {
    name: "Evaluations",
    doc: "How answers are graded where a test case or turn does not say.",
    fields: &[
        field(
            "model",
            Shape::Object(&MODEL),
            "The model that judged metrics ask.",
        )
        .live(),
        field(
            "metrics",
            Shape::List {
                of: &Shape::Tagged(&METRIC),
                min: 1,
                max: usize::MAX,
            },
            "The metrics, at least one.",
        )
        .required(),
        field(
            "optimizer",
            Shape::Object(&backends::OPTIMIZER),
            "Settings of `test optimize`.",
        )
        .warned("this program has no `test optimize`"),
    ],
    open: false,
    rule: None,
};

/// A metric, at every level.
pub(crate) static METRIC: Tagged = Tagged {
    name: "Metric",
    tag: "type",
    variants: &[
        Variant {
            tag: "standard",
            shape: &STANDARD,
            decided_by: Some("metric"),
        },
        Variant {
            tag: "geval",
            shape: &GEVAL,
            decided_by: Some("criteria"),
        },
        Variant {
            tag: "rag",
            shape: &RAG,
            decided_by: Some("metric_type"),
        },
        Variant {
            tag: "code",
            shape: &CODE,
            decided_by: Some("grader"),
        },
    ],
    hint: |tag| {
        STANDARD_METRICS
            .contains(&tag)
            .then(|| format!("write `type: standard` and `metric: {tag}`"))
            .or_else(|| {
                RAG_METRICS
                    .contains(&tag)
                    .then(|| format!("write `type: rag` and `metric_type: {tag}`"))
            })
    },
};

const STANDARD_METRICS: &[&str] = &[
    "groundedness",
    "relevance",
    "coherence",
    "fluency",
    "bleu",
    "rouge",
    "meteor",
    "equality",
    "numeric",
];
const RAG_METRICS: &[&str] = &[
    "faithfulness",
    "contextual_relevancy",
    "contextual_precision",
    "contextual_recall",
    "answer_relevancy",
];

const ENABLED: Field = field("enabled", BOOL, "`false` switches the metric off.").default("true");
const FAIL_ON_ERROR: Field = field(
    "fail_on_error",
    BOOL,
    "When the metric itself breaks, the test case fails at once and its remaining turns are skipped.",
)
.default("false");
const JUDGE: Field = field(
    "model",
    Shape::Object(&MODEL),
    "The model that is asked, instead of `evaluations.model`.",
)
.live();
const SAMPLES: Field = field(
    "samples",
    POSITIVE,
    "How often the model is asked; the mean counts.",
)
.default("1")
.live();

const fn kind(tag: &'static [&'static str], default: &'static str) -> Field {
    field(
        "type",
        Shape::Enum(tag),
        "The kind of metric; may be left out.",
    )
    .default(default)
}

pub(crate) static STANDARD: ObjectShape = ObjectShape {
    name: "StandardMetric",
    doc: "A built-in metric. `equality` and `numeric` are computed; this version does not run the others.",
    fields: &[
        kind(&["standard"], "\"standard\""),
        field("metric", Shape::Enum(STANDARD_METRICS), "Which one.").required(),
        field("name", TEXT, "Its name in reports; else the metric's."),
        field(
            "threshold",
            FLOAT,
            "Passed when the score is at least this.",
        ),
        ENABLED,
        field("scale", POSITIVE, "Scale of the score.").warned("scores are always from 0 to 1"),
        JUDGE,
        FAIL_ON_ERROR,
        field(
            "retry_on_failure",
            between(1, 3),
            "Retries of a judged metric.",
        )
        .live(),
        field("timeout_ms", POSITIVE, "Time for a judged metric in ms.").live(),
        field("custom_prompt", TEXT, "Another prompt for a judged metric.").live(),
        field(
            "case_insensitive",
            BOOL,
            "`equality`: upper and lower case are the same.",
        )
        .default("false"),
        field(
            "strip_whitespace",
            BOOL,
            "`equality`: runs of white space count as one space, ends are trimmed.",
        )
        .default("false"),
        field(
            "strip_punctuation",
            BOOL,
            "`equality`: ASCII punctuation is left out.",
        )
        .default("false"),
        field(
            "absolute_tolerance",
            NOT_NEGATIVE,
            "`numeric`: how far the answer may be off; inclusive.",
        )
        .default("1e-6"),
        field(
            "relative_tolerance",
            NOT_NEGATIVE,
            "`numeric`: or how far, as a share of the right answer.",
        )
        .default("0.0"),
        field("accept_percent", BOOL, "`numeric`: `14%` reads as 0.14.").default("false"),
        field(
            "accept_thousands_separators",
            BOOL,
            "`numeric`: `1,234` reads as 1234.",
        )
        .default("false"),
        field(
            "extract",
            Shape::Either(&[Shape::Enum(&["last", "first"]), Shape::Object(&EXTRACT)]),
            "`numeric`: picks one number out of the reply; else the whole reply must be the number.",
        ),
        field(
            "response_path",
            Shape::ResponsePath,
            "Grades this part of a JSON reply: `data.items[0].score`.",
        ),
        SAMPLES,
    ],
    open: false,
    rule: Some(rules::standard_metric),
};

static EXTRACT: ObjectShape = ObjectShape {
    name: "Extract",
    doc: "Picks a number by a regular expression.",
    fields: &[field(
        "regex",
        Shape::Regex,
        "The first group of its first match, else the match.",
    )
    .required()],
    open: false,
    rule: None,
};

const JUDGED: &str = "this version does not ask judging models";

static GEVAL: ObjectShape = ObjectShape {
    name: "GevalMetric",
    doc: "A model judges by criteria in words.",
    fields: &[
        kind(&["geval"], "\"geval\""),
        field("name", TEXT, "Its name in reports.").required(),
        field("criteria", TEXT, "What is asked of the answer.")
            .required()
            .refused(JUDGED),
        field("evaluation_steps", STRINGS, "Steps to judge by.").refused(JUDGED),
        field(
            "evaluation_params",
            Shape::List {
                of: &Shape::Enum(&[
                    "input",
                    "actual_output",
                    "expected_output",
                    "context",
                    "retrieval_context",
                ]),
                min: 1,
                max: usize::MAX,
            },
            "What the model is shown.",
        )
        .default("[\"actual_output\"]")
        .refused(JUDGED),
        field("strict_mode", BOOL, "Only a full score passes.")
            .default("false")
            .refused(JUDGED),
        field(
            "threshold",
            UNIT,
            "Passed when the score is at least this; else 0.5.",
        ),
        JUDGE,
        ENABLED,
        FAIL_ON_ERROR,
        SAMPLES,
    ],
    open: false,
    rule: None,
};

static RAG: ObjectShape = ObjectShape {
    name: "RagMetric",
    doc: "A model judges an answer by the context that was found.",
    fields: &[
        kind(&["rag"], "\"rag\""),
        field("metric_type", Shape::Enum(RAG_METRICS), "Which one.")
            .required()
            .refused(JUDGED),
        field("name", TEXT, "Its name in reports; else the metric's."),
        field("threshold", UNIT, "Passed when the score is at least this.").default("0.5"),
        field("include_reason", BOOL, "Ask for a reason.")
            .default("true")
            .refused(JUDGED),
        JUDGE,
        ENABLED,
        FAIL_ON_ERROR,
        SAMPLES,
    ],
    open: false,
    rule: None,
};

static CODE: ObjectShape = ObjectShape {
    name: "CodeMetric",
    doc: "Your own grader: a function in Python, or of a native library. It runs with your rights.",
    fields: &[
        kind(&["code"], "\"code\""),
        field(
            "grader",
            Shape::Grader,
            "`module.path:function`, found below agent.yaml's folder, then below those of `execution.grader_path`: a native library `module/path.so` (or `libpath.so`, `.dylib`), or what Python imports.",
        )
            .required(),
        field(
            "threshold",
            FLOAT,
            "Passed when the score is at least this; else 0.5. A verdict of the grader beats it.",
        ),
        ENABLED,
        FAIL_ON_ERROR,
        field("name", TEXT, "Its name in reports; else the function's."),
        field("timeout_ms", POSITIVE, "Time for one call in ms.")
            .default("30000"),
    ],
    open: false,
    rule: Some(rules::code_metric),
};
