//! Where requests go, and with which key.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the texts so"
)]

use holodeck_model::config::Model;

use super::{base, target};

/// Address, what the run's header shows of it, and whether a key is needed; or why it can't be asked.
fn check(provider: &str, endpoint: Option<&str>, variable: Option<&'static str>) -> String {
    let model = Model {
        provider: provider.to_owned(),
        name: Some("gpt 4/o".to_owned()),
        endpoint: endpoint.map(str::to_owned),
        endpoint_variable: variable,
        key_variable: (provider != "ollama").then_some("OPENAI_API_KEY"),
        ..Model::default()
    };
    let target = base(&model).and_then(|base| target(&model, &base));
    match target {
        Ok(target) => target.whole(),
        Err(why) => why.to_string(),
    }
}

#[test]
fn each_provider_has_its_address() {
    let local = "http://localhost:8000";
    let cases = [
        check("openai", None, None),
        check("openai", Some("http://localhost:8000/v1/"), None),
        check("openai", Some("http://127.0.0.2/v1/chat/completions"), None),
        check("openai", Some("http://[::1]:8000/v1"), None),
        check("openai", Some("https://localhost.evil.example/v1"), None),
        check("azure_openai", Some(local), None),
        check(
            "azure_openai",
            Some("http://localhost:8000/openai/v1/"),
            None,
        ),
        check(
            "azure_openai",
            Some("http://localhost/openai/deployments/d?api-version=1"),
            None,
        ),
        check("ollama", None, None),
        check("ollama", Some("https://gpu.example"), None),
        check("ollama", Some("0.0.0.0"), Some("OLLAMA_HOST")),
        check("ollama", Some("gpu:1234"), Some("OLLAMA_HOST")),
        check("anthropic", Some("http://localhost"), None),
        check("anthropic", Some("http://localhost/proxy/v1/"), None),
        check("openai", Some("localhost:8000/v1"), None),
        check("openai", Some("nonsense"), Some("OPENAI_BASE_URL")),
    ];
    expect_test::expect![[r#"
        there is no API key for `openai`
        http://localhost:8000/v1/chat/completions
        http://127.0.0.2/v1/chat/completions
        http://[::1]:8000/v1/chat/completions
        there is no API key for `openai`
        http://localhost:8000/openai/deployments/gpt%204%2Fo/chat/completions?api-version=2024-10-21
        http://localhost:8000/openai/v1/chat/completions
        http://localhost/openai/deployments/d/chat/completions?api-version=1
        http://localhost:11434/v1/chat/completions
        https://gpu.example/v1/chat/completions
        http://127.0.0.1:11434/v1/chat/completions
        http://gpu:1234/v1/chat/completions
        http://localhost/v1/messages
        http://localhost/proxy/v1/messages
        `model.endpoint` `localhost:8000/v1` is not an address: write `https://HOST/PATH`
        `OPENAI_BASE_URL` `nonsense` is not an address: write `https://HOST/PATH`"#]]
    .assert_eq(&cases.join("\n"));
}
