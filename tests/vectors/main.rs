//! Every vector of `conformance/` as a named test: `cargo test -p holodeck-tests --test vectors arg_fuzzy-001`.
//!
//! To add a vector: a line in a file of `conformance/`. To add a file: the file, a function in this folder that takes one vector, and
//! a line in [`AREAS`]. A file that no line claims is a failing test.

use std::sync::LazyLock;

use holodeck_tests::has_python;
use holodeck_tests::vector::{self, Vector};
use libtest_mimic::{Arguments, Trial};

mod exit_codes;
mod files;
mod graders;
mod judging;
mod loading;
mod matching;
mod python;
mod redaction;
mod reporting;
mod run_rules;
mod settings;
mod tools;
mod yaml;

/// What a vector must hold against.
type Check = fn(&Vector) -> Result<(), String>;

/// One file of vectors.
struct Area {
    name: &'static str,
    check: Check,
    /// What stands behind the names of the tests where the file is held against more than one thing.
    way: &'static str,
    /// Vectors that wait for a later release, each with the reason; `*` stands for all.
    later: &'static [(&'static str, &'static str)],
    /// Vectors that need a Python; `*` stands for all.
    python: &'static [&'static str],
}

const fn area(name: &'static str, check: Check) -> Area {
    Area {
        name,
        check,
        way: "",
        later: &[],
        python: &[],
    }
}

const fn later(name: &'static str, reason: &'static [(&'static str, &'static str)]) -> Area {
    Area {
        name,
        check: |_| Err("not in this release".to_owned()),
        way: "",
        later: reason,
        python: &[],
    }
}

const AREAS: &[Area] = &[
    area("arg_fuzzy", matching::fuzzy),
    area("arg_literal", matching::literal),
    area("arg_regex", matching::regex),
    area("arg_regex_compile", matching::regex_compile),
    Area {
        python: &[
            "config_load-088",
            "config_load-111",
            "config_load-137",
            "config_load-160",
        ],
        ..area("config_load", loading::config_load)
    },
    area("env_subst", yaml::variables),
    area("equality", judging::equality),
    area("evalrun_redaction", redaction::check),
    Area {
        python: &["exit_code-014", "exit_code-015", "exit_code-020"],
        ..area("exit_code", exit_codes::check)
    },
    area("exec_precedence", settings::exec_precedence),
    area("expected_tools", tools::expected_tools),
    Area {
        python: &["*"],
        ..area("grader_return", graders::python)
    },
    Area {
        way: "/native",
        ..area("grader_return", graders::native)
    },
    area("numeric", judging::numeric),
    area("prompt_version", settings::prompt_version),
    area("python_float", python::float),
    area("python_str", python::str),
    area("report_fields", reporting::fields),
    area("response_path_extract", judging::response_path),
    area("response_path_grammar", judging::response_path_grammar),
    Area {
        later: &[(
            "run_rules-fields-11_processed_files_concatenated",
            "live agents",
        )],
        ..area("run_rules", run_rules::check)
    },
    area("slug", settings::folder),
    area("summary", reporting::summary),
    area("token_usage", judging::token_usage),
    later("tool_pairing_positional", &[("*", "live agents")]),
    area("tool_result_bytes", python::result_bytes),
    area("yaml_scalar", yaml::scalar),
];

fn main() {
    let mut all = files::trials();
    all.extend(vector::areas().into_iter().flat_map(|name| trials(&name)));
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

fn trials(name: &str) -> Vec<Trial> {
    let areas: Vec<&Area> = AREAS.iter().filter(|area| area.name == name).collect();
    if areas.is_empty() {
        let problem = format!("no line of AREAS in tests/vectors/main.rs claims {name}.jsonl");
        return vec![Trial::test(name.to_owned(), move || Err(problem.into()))];
    }
    let vectors = match vector::read(name) {
        Ok(vectors) => vectors,
        Err(problem) => {
            return vec![Trial::test(name.to_owned(), move || Err(problem.into()))];
        }
    };
    areas
        .into_iter()
        .flat_map(|area| vectors.iter().map(|vector| trial(area, vector.clone())))
        .collect()
}

fn trial(area: &Area, vector: Vector) -> Trial {
    let check = area.check;
    let not_run = reason_not_to_run(area, &vector);
    let name = if vector.id.starts_with(area.name) {
        vector.id.clone()
    } else {
        format!("{}/{}", area.name, vector.id)
    } + area.way;
    let trial = Trial::test(name, move || Ok(check(&vector)?));
    match not_run {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}

fn reason_not_to_run(area: &Area, vector: &Vector) -> Option<String> {
    static HAS_PYTHON: LazyLock<bool> = LazyLock::new(has_python);
    let is_meant = |id: &str| id == "*" || id == vector.id;
    if let Some((_, reason)) = area.later.iter().find(|(id, _)| is_meant(id)) {
        return Some(format!("comes with {reason}"));
    }
    let lacks_python = area.python.iter().any(|id| is_meant(id)) && !*HAS_PYTHON;
    lacks_python.then(|| "there is no python3".to_owned())
}
