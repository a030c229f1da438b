//! The context, the process around a grader, and what it prints.

use super::{context, grade, has_python, host_of, result};

#[tokio::test]
async fn a_grader_of_the_python_holodeck_sees_what_it_expects() {
    if !has_python() {
        return;
    }
    let grader = "
import dataclasses, json, copy
from collections.abc import Mapping
from holodeck.lib.test_runner.code_grader import GraderContext, GraderResult
import holodeck

def f(ctx: GraderContext) -> GraderResult:
    assert holodeck.GraderContext is GraderContext and isinstance(ctx, GraderContext)
    assert dataclasses.is_dataclass(ctx)
    call = ctx.tool_invocations[0]
    assert isinstance(ctx.tool_invocations, tuple) and len(ctx.tool_invocations) == 1
    assert call.name == 'subtract' and call.result == '25587' and call.error is None
    assert call.duration_ms == 7 and call.bytes == 5
    assert repr(call.args['a']) == '206588.0' and call.args['n'] == 123456789012345678901234567890
    assert call.args['list'] == [1, {'x': [2]}] and isinstance(call.args, dict)
    assert json.loads(json.dumps(call.args)) == dict(call.args)
    changed = copy.deepcopy(call.args)
    changed['list'][1]['x'].append(3)
    assert call.args['list'] == [1, {'x': [2]}]
    assert isinstance(ctx.turn_config, Mapping)
    assert ctx.turn_config['turn_program'] == 'subtract(206588, 181001)'
    assert ctx.turn_config.get('absent') is None
    assert ctx.retrieval_context == ('c1',) and ctx.turn_index == 1 and ctx.test_case_name == 'case'
    assert ctx.turn_input == 'input' and ctx.ground_truth == '25587'
    assert ctx.agent_response == 'answer: 25,587 – ünïcode'
    before = ctx.previous_turns[0]
    assert (before.turn_input, before.agent_response, before.ground_truth) == ('first', 'one', None)
    assert before.tool_invocations[0] == call
    assert GraderContext('q', 'a').tool_invocations == ()
    return GraderResult(score=1.0, passed=True, reason='gründlich', details={'want': ['a']})
";
    let (host, _dir) = host_of(&[("old.py", grader)]);
    let result = result(&host, "old:f").await;
    assert_eq!(result.reason.as_deref(), Some("gründlich"));
    assert_eq!(
        serde_json::to_string(&result.details).unwrap(),
        r#"{"want":["a"]}"#
    );
    host.close().await;
}

#[tokio::test]
async fn absent_parts_of_the_context_are_none_or_empty() {
    if !has_python() {
        return;
    }
    let grader = "
def f(c):
    return (c.ground_truth, c.tool_invocations, c.retrieval_context, c.test_case_name, dict(c.turn_config), c.previous_turns) \\
        == (None, (), None, None, {}, ())
";
    let (host, _dir) = host_of(&[("m.py", grader)]);
    let grader = host.resolve("m:f").await.unwrap();
    let context = holodeck_grader::GraderContext::new("q", "a");
    let graded = grader.grade(&context, super::LONG).await;
    assert_eq!(graded.result.unwrap().passed, Some(true));
    host.close().await;
}

#[tokio::test]
async fn the_deepest_and_longest_context_arrives() {
    if !has_python() {
        return;
    }
    let grader = "
def f(c):
    value, depth = c.tool_invocations[0].args, 0
    while value:
        value, depth = value[0], depth + 1
    return depth == 500 and len(c.turn_input) == 10_000_000 and c.turn_config['n'] % 10 == 7
";
    let (host, _dir) = host_of(&[("m.py", grader)]);
    let mut context = context(&"x".repeat(10_000_000));
    let nested = format!("{}{}", "[".repeat(501), "]".repeat(501));
    context.tool_invocations[0].args = holodeck_grader::Value::from_json(&nested).unwrap();
    let digits = format!("1{}7", "0".repeat(6_000));
    let number = holodeck_grader::Number::from_lexeme(&digits).unwrap();
    context
        .turn_config
        .insert("n", holodeck_grader::Value::Number(number));
    let grader = host.resolve("m:f").await.unwrap();
    let graded = grader.grade(&context, super::LONG).await;
    assert_eq!(graded.result.unwrap().passed, Some(true));
    host.close().await;
}

#[tokio::test]
async fn what_is_printed_stays_with_its_call() {
    if !has_python() {
        return;
    }
    let host = super::hostile();
    let graded = grade(&host, "prints:says_hello").await;
    assert_eq!(graded.stdout, "höllo input\n");
    assert_eq!(graded.stderr, "to stderr\n");
    let graded = grade(&host, "prints:replaces_stdout").await;
    assert_eq!((graded.stdout.as_str(), graded.stderr.as_str()), ("", ""));
    host.close().await;
}

#[tokio::test]
async fn one_grader_does_not_break_stdout_or_the_folder_for_the_next() {
    if !has_python() {
        return;
    }
    let host = super::hostile();
    for reference in ["prints:closes_stdout", "prints:replaces_stdout"] {
        assert_eq!(result(&host, reference).await.passed, Some(false));
        let graded = grade(&host, "prints:says_hello").await;
        assert_eq!(graded.stdout, "höllo input\n", "after {reference}");
    }
    assert_eq!(
        result(&host, "prints:redirects_stdout").await.passed,
        Some(false)
    );
    assert_eq!(result(&host, "prints:says_hello").await.passed, Some(true));
    assert_eq!(
        result(&host, "prints:changes_folder").await.passed,
        Some(true)
    );
    assert_eq!(result(&host, "prints:folder").await.passed, Some(true));
    assert_eq!(result(&host, "prints:reads_stdin").await.passed, Some(true));
    host.close().await;
}
