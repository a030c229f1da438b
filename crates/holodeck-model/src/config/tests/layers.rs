//! Settings, `.env` and config files.

use expect_test::expect;

use super::{Load, agent};
use crate::config::Config;

fn origin(config: &Config, key: &str) -> String {
    let setting = config.settings().get(key).unwrap();
    format!("{} from {}", setting.value.to_json(), setting.origin)
}

#[test]
fn each_setting_comes_from_the_first_place_that_sets_it() {
    let mut load = agent("execution: {llm_timeout: 2, verbose: off}\n")
        .file(
            "config.yml",
            "execution: {llm_timeout: 3, parallel_test_cases: 3, verbose: true}\n",
        )
        .file(
            "me/.holodeck/config.yaml",
            "execution: {parallel_test_cases: 4, max_tool_rounds: 4}\n",
        )
        .var("HOLODECK_MAX_TOOL_ROUNDS", "5")
        .var("HOLODECK_SECRETS", "A, B")
        .var("A", "1")
        .var("B", "2")
        .var("HOLODECK_REPEAT", "");
    load.overrides.llm_timeout = Some(1);
    let config = load.config();
    expect!["1 from command line"].assert_eq(&origin(&config, "llm_timeout"));
    expect!["false from agent.yaml"].assert_eq(&origin(&config, "verbose"));
    expect!["3 from config.yml"].assert_eq(&origin(&config, "parallel_test_cases"));
    expect!["4 from me/.holodeck/config.yaml"].assert_eq(&origin(&config, "max_tool_rounds"));
    expect![[r#"["A","B"] from environment HOLODECK_SECRETS"#]]
        .assert_eq(&origin(&config, "secrets"));
    expect!["1 from default"].assert_eq(&origin(&config, "repeat"));
    expect!["null from default"].assert_eq(&origin(&config, "python"));
}

#[test]
fn a_bad_variable_is_a_mistake_even_where_a_file_wins() {
    agent("execution: {llm_timeout: 2}\n")
        .var("HOLODECK_LLM_TIMEOUT", "2s")
        .check(&expect![[r#"
            bad-environment HOLODECK_LLM_TIMEOUT: the environment variable `HOLODECK_LLM_TIMEOUT` must be an integer of at least 1, not `2s`
        "#]]);
}

#[test]
fn of_two_config_files_one_is_read_and_the_other_named() {
    let load = agent("")
        .file("config.yml", "{}")
        .file("config.yaml", "nonsense");
    load.check(&expect![[r#"
        (warning) two-configs : `config.yaml` is not read: `config.yml` is there too and wins [keep one of the two]
    "#]]);
}

#[test]
fn the_first_dotenv_wins_and_the_environment_beats_all() {
    let config = Load::default()
        .file(
            "agent.yaml",
            "name: ${A}${B}${C}${D}\nmodel: {provider: scripted, name: x}\n",
        )
        .file(".env", "A=1\nB=1\n")
        .file("started/.env", "B=2\nC=2${A}\n")
        .file("me/.holodeck/.env", "C=3\nD=3\n")
        .var("A", "0")
        .config();
    assert_eq!(config.name(), "01203");
}

#[test]
fn providers_lend_a_model_what_it_leaves_out() {
    let yaml =
        "name: a\nmodel: {provider: azure_openai, temperature: 0}\ninstructions: {inline: x}\n";
    let lent = "providers: {azure_openai: {provider: azure_openai, name: m, endpoint: https://x, temperature: 1}}\n";
    let config = Load::default()
        .file("agent.yaml", yaml)
        .file("config.yaml", lent)
        .config();
    assert_eq!(config.model().endpoint.as_deref(), Some("https://x"));
    let snapshot = config
        .snapshot()
        .as_object()
        .unwrap()
        .get("model")
        .unwrap()
        .to_json();
    assert!(
        snapshot.starts_with(
            r#"{"provider":"azure_openai","name":"m","temperature":0,"max_tokens":1000,"#
        ),
        "{snapshot}"
    );
    Load::default()
        .file("agent.yaml", yaml)
        .check(&expect![[r#"
            agent.yaml:2:8 missing-key model.name: `name` is missing
            agent.yaml:2:8 missing-key model.endpoint: `endpoint` is missing, which `azure_openai` needs
        "#]]);
}

#[test]
fn a_key_counts_as_lent_only_where_it_is() {
    let providers = "providers:\n  azure_openai: {provider: azure_openai, name: n}\n  other: {provider: azure_openai, name: n, endpoint: 'https://x'}\n";
    Load::default()
        .file(
            "agent.yaml",
            "name: a\nmodel: {provider: azure_openai}\ninstructions: {inline: x}\n",
        )
        .file("config.yaml", providers)
        .check(&expect![[r#"
            agent.yaml:2:8 missing-key model.endpoint: `endpoint` is missing, which `azure_openai` needs
            config.yaml:2:17 missing-key providers.azure_openai.endpoint: `endpoint` is missing, which `azure_openai` needs
        "#]]);
}

#[test]
fn a_database_that_nobody_defines_is_pointed_at() {
    let tool = |name: &str| {
        format!(
            "{{name: {name}, description: d, type: vectorstore, source: 's3://x', database: {name}}}"
        )
    };
    agent(&format!("tools: [{}, {}]\n", tool("there"), tool("their")))
        .file(
            "config.yaml",
            "vectorstores: {there: {provider: qdrant, connection_string: a-connection}}\n",
        )
        .check(&expect![[r#"
            agent.yaml:3:171 (warning) unknown-database tools: no config.yaml has a vectorstore `their` [define it under `vectorstores` in config.yaml]
        "#]]);
}
