//! What is masked, and what is not (rule L10a).

use super::agent;

fn masked(rest: &str) -> String {
    let load = agent(rest)
        .var("API_KEY", "key-123456")
        .var("REGION", "region-1")
        .var("EXTRA", "extra-123");
    let config = load.config();
    let snapshot = config.snapshot().to_json();
    for secret in config.secrets().filter(|s| s.len() >= 6) {
        assert!(!snapshot.contains(secret), "{secret} in {snapshot}");
    }
    config.secrets().collect::<Vec<_>>().join(" ")
}

#[test]
fn values_of_variables_that_sound_secret_are_masked_wherever_they_stand() {
    assert_eq!(
        masked("description: see ${API_KEY} in ${REGION}\n").as_str(),
        "key-123456"
    );
    assert_eq!(masked("execution: {secrets: [EXTRA]}\n"), "extra-123");
}

#[test]
fn secret_fields_are_masked_and_plain_words_of_an_environment_are_only_not_shown() {
    let tool = "type: mcp, name: m, description: d, command: npx";
    let args = "args: [plain-arg, '${REGION}']";
    let env = "env: {MODE: production, AUTH: letmein, HOST: '${REGION}'}";
    assert_eq!(
        masked(&format!("tools: [{{{tool}, {args}, {env}}}]\n")),
        "letmein region-1"
    );
    let settings = "config: {auth: {token: [deep-token]}, allowed_tools: [plain-tool], max_tokens: many-tokens}";
    assert_eq!(
        masked(&format!("tools: [{{{tool}, {settings}}}]\n")),
        "deep-token"
    );
    let http = "type: mcp, name: m, description: d, transport: http, url: https://x, headers: {X: header-value}";
    assert_eq!(masked(&format!("tools: [{{{http}}}]\n")), "header-value");
    let store = "type: vectorstore, name: m, description: d, source: https://x";
    let database = "database: {provider: qdrant, url: u, api_key: literal-key, connection_string: conn-string}";
    assert_eq!(
        masked(&format!("tools: [{{{store}, {database}}}]\n")),
        "conn-string literal-key"
    );
}

#[test]
fn what_is_told_of_a_mistake_holds_no_secret() {
    let cases = "test_cases:\n  - {name: 'n ${API_KEY}', inpt: q}\n  - {name: m, input: q, evaluations: [{type: standard, metric: '${API_KEY}'}]}\n  - no case ${NOPE}\n";
    let (_, diagnostics) = agent(cases).var("API_KEY", "key-123456").read();
    let told = crate::diagnostic::to_json(&diagnostics);
    assert!(
        told.contains("n ***") && told.contains("`***` is none of them"),
        "{told}"
    );
    assert!(!told.contains("key-123456"), "{told}");
}
