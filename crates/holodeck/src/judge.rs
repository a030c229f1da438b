//! The judge of a run: calls a turn's graders, then has everything judged by the rules.

use std::time::Duration;

use async_trait::async_trait;
use holodeck_eval::{Grade, Grades, code_metrics};
use holodeck_grader::{Graded, GraderContext, GraderError, PreviousTurn, ToolInvocation};
use holodeck_model::outcome::TurnOutcome;
use holodeck_model::plan::{CasePlan, TurnPlan};
use holodeck_model::record::{self, TurnRecord};
use holodeck_model::verdict::TurnVerdict;
use holodeck_run::ports::TurnJudge;
use tokio::time::Instant;

use crate::graders::Graders;

/// Judges turns with these graders.
pub(crate) struct Judge(pub(crate) Graders);

#[async_trait]
impl TurnJudge for Judge {
    async fn judge(
        &self,
        case: &CasePlan,
        turn: &TurnPlan,
        record: &TurnRecord,
        previous: &[TurnOutcome],
    ) -> TurnVerdict {
        let mut asked = code_metrics(turn, record).peekable();
        let mut grades = Vec::new();
        if asked.peek().is_some() {
            let context = context(case, turn, record, previous);
            // One after the other: a turn keeps to one worker, and is seldom judged by several.
            for (at, metric) in asked {
                let begun = Instant::now();
                let deadline = Duration::from_millis(metric.timeout_ms);
                let graded = match self.0.get(&metric.grader) {
                    Some(grader) => grader.grade(&context, deadline).await,
                    None => Graded::from(Err(GraderError::NotRun {
                        message: format!("`{}` was not looked for", metric.grader),
                    })),
                };
                let took = begun.elapsed();
                grades.push((at, Grade { graded, took }));
            }
        }
        let grades: Grades = grades.into_iter().collect();
        holodeck_eval::judge(turn, record, &grades)
    }
}

/// What the graders of a turn are told. Turns that had no reply are among the previous ones too, so that the n-th is the n-th.
fn context(
    case: &CasePlan,
    turn: &TurnPlan,
    record: &TurnRecord,
    previous: &[TurnOutcome],
) -> GraderContext {
    let mut context = GraderContext::new(&turn.input, reply(record));
    context.ground_truth.clone_from(&turn.ground_truth);
    context.tool_invocations = calls(record);
    context
        .retrieval_context
        .clone_from(&turn.retrieval_context);
    context.turn_index = turn.index;
    context.test_case_name.clone_from(&case.name);
    context.turn_config = turn.turn_config.clone().unwrap_or_default();
    context.previous_turns = previous.iter().map(previous_turn).collect();
    context
}

fn previous_turn(outcome: &TurnOutcome) -> PreviousTurn {
    let mut turn = PreviousTurn::new(&outcome.input, reply(&outcome.record));
    turn.ground_truth.clone_from(&outcome.ground_truth);
    turn.tool_invocations = calls(&outcome.record);
    turn
}

fn reply(record: &TurnRecord) -> &str {
    record.response.as_deref().unwrap_or_default()
}

fn calls(record: &TurnRecord) -> Vec<ToolInvocation> {
    record.tool_invocations.iter().map(call).collect()
}

fn call(call: &record::ToolInvocation) -> ToolInvocation {
    let mut told = ToolInvocation::new(&call.name, call.args.clone());
    told.result = call.result.clone();
    told.error.clone_from(&call.error);
    told.duration_ms = call.duration_ms;
    told.bytes = u64::try_from(call.result.ascii_json_len()).unwrap_or(u64::MAX);
    told
}
