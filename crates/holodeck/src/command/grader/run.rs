//! `holodeck grader run`: one call by hand.

use std::io::{self, Read as _, Write};
use std::path::Path;
use std::time::Duration;

use holodeck_eval::{Grade, Grades};
use holodeck_grader::GraderContext;
use holodeck_model::plan::{CodeMetric, Metric, MetricKind, MetricSpec, Threshold, TurnPlan};
use holodeck_model::record::{TurnEnd, TurnRecord};
use holodeck_model::verdict::MetricVerdict;
use holodeck_report::text;
use holodeck_value::Decimal;
use tokio::time::Instant;

use crate::args::GraderRun;
use crate::exit::Exit;
use crate::graders;
use crate::load::disk;
use crate::screen::{Screen, Stream};
use crate::stage::Stage;

pub(crate) fn run(args: &GraderRun, screen: &Screen) -> Exit {
    match judged(args, screen) {
        Ok((verdict, took)) => tell(&verdict, took, screen),
        Err(exit) => exit,
    }
}

fn judged(args: &GraderRun, screen: &Screen) -> Result<(MetricVerdict, Duration), Exit> {
    let refuse = |error: String| {
        screen.say(&format!("error: {error}"));
        Exit::Usage
    };
    let context = context(&args.context, screen).map_err(refuse)?;
    let metric = metric(args).map_err(refuse)?;
    let stage = Stage::new(screen)?;
    let host = graders::host(&args.folder, args.python.as_deref());
    let called = stage.try_to(async {
        let called = match host.resolve(&args.reference).await {
            Ok(grader) => {
                let begun = Instant::now();
                let deadline = Duration::from_millis(args.timeout_ms);
                let graded = grader.grade(&context, deadline).await;
                let took = begun.elapsed();
                Ok(Grade { graded, took })
            }
            Err(error) => Err(format!("grader {error}")),
        };
        host.close().await;
        called
    });
    let grade = called.ok_or(Exit::Interrupted)?.map_err(refuse)?;
    let took = grade.took;
    Ok((verdict(metric, grade), took))
}

/// What a file or stdin holds. A key that graders are not told is a slip, and said to be one.
fn context(path: &Path, screen: &Screen) -> Result<GraderContext, String> {
    let shown = path.display();
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        disk().read(path)
    };
    let bytes = read.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let context: GraderContext = serde_json::from_slice(&bytes)
        .map_err(|error| format!("`{shown}` is not a context: {error}"))?;
    let known = serde_json::to_value(GraderContext::default());
    let given = serde_json::from_slice(&bytes);
    if let (Ok(serde_json::Value::Object(known)), Ok(serde_json::Value::Object(given))) =
        (known, given)
    {
        for key in given.keys().filter(|key| !known.contains_key(*key)) {
            let known: Vec<&str> = known.keys().map(String::as_str).collect();
            screen.say(&format!(
                "warning: `{key}` in `{shown}` is not told to graders; they are told {}",
                known.join(", ")
            ));
        }
    }
    Ok(context)
}

fn metric(args: &GraderRun) -> Result<Metric, String> {
    let threshold = args.threshold.map(|threshold| {
        Decimal::parse(&threshold.to_string())
            .map(Threshold)
            .ok_or_else(|| format!("--threshold: {threshold} is no score"))
    });
    Ok(Metric {
        name: args.reference.clone(),
        kind: MetricKind::Code,
        threshold: threshold.transpose()?,
        fail_on_error: false,
        response_path: None,
        spec: MetricSpec::Code(CodeMetric {
            grader: args.reference.clone(),
            timeout_ms: args.timeout_ms,
        }),
    })
}

/// By the rules of a run.
fn verdict(metric: Metric, grade: Grade) -> MetricVerdict {
    let turn = TurnPlan {
        index: 0,
        input: String::new(),
        ground_truth: None,
        expected_tools: None,
        files: Vec::new(),
        retrieval_context: None,
        turn_config: None,
        metrics: [metric].into(),
    };
    let record = TurnRecord::unsent(TurnEnd::Replied);
    let grades = Grades::from_iter([(0, grade)]);
    let mut verdict = holodeck_eval::judge(&turn, &record, &grades);
    verdict.metrics.remove(0)
}

fn tell(verdict: &MetricVerdict, took: Duration, screen: &Screen) -> Exit {
    let mut out = screen.open(Stream::Stdout);
    // `Out` keeps its trouble for `end`.
    let _ = write(verdict, took, &mut out);
    let passed = if verdict.passed {
        Exit::Passed
    } else {
        Exit::Failed
    };
    passed.and(out.end(screen))
}

fn write(verdict: &MetricVerdict, took: Duration, out: &mut dyn Write) -> io::Result<()> {
    let result = if verdict.passed { "passed" } else { "failed" };
    writeln!(out, "result   {result}")?;
    writeln!(out, "score    {}", verdict.score)?;
    let details = verdict.details.as_ref().map(holodeck_value::Value::to_json);
    for (label, told) in [
        ("error", &verdict.error),
        ("reason", &verdict.reasoning),
        ("details", &details),
    ] {
        if let Some(told) = told {
            let told = text::lines(told).replace('\n', "\n         ");
            writeln!(out, "{label:<8} {told}")?;
        }
    }
    writeln!(out, "time     {:.1} ms", took.as_secs_f64() * 1000.0)?;
    let output = verdict.output.iter();
    let output = output.flat_map(|o| {
        [
            ("stdout", &o.stdout),
            ("stderr", &o.stderr),
            ("trace", &o.trace),
        ]
    });
    for (label, printed) in output.filter(|(_, printed)| !printed.is_empty()) {
        writeln!(out, "--- {label}\n{}", text::lines(printed.trim_end()))?;
    }
    Ok(())
}
