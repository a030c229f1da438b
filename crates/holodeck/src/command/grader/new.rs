//! `holodeck grader new`: a small grader with its test.

use crate::args::GraderNew;
use crate::exit::Exit;
use crate::screen::Screen;
use crate::write;

pub(crate) fn run(args: &GraderNew, screen: &Screen) -> Exit {
    let name = &args.name;
    if !is_name(name) {
        screen.say(&format!(
            "error: `{name}` can't be the name of a grader\nhelp: write letters, digits and _, a letter first"
        ));
        return Exit::Usage;
    }
    let (files, next) = if args.native {
        (native(name), native_next(args))
    } else {
        (python(name), python_next(args))
    };
    if let Err(exit) = write::new_files(&args.dir, &files, "choose another name", screen) {
        return exit;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    screen.say(&format!(
        "Wrote {} to {}.\n{next}",
        names.join(", "),
        args.dir.display()
    ));
    Exit::Passed
}

/// What Python, Rust and a reference can all call a module.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn python(name: &str) -> Vec<(String, String)> {
    let named = |text: &str| text.replace("NAME", name);
    vec![
        (format!("{name}.py"), named(include_str!("new/grader.py"))),
        (
            format!("test_{name}.py"),
            named(include_str!("new/test_grader.py")),
        ),
    ]
}

fn python_next(args: &GraderNew) -> String {
    let (name, dir) = (&args.name, args.dir.display());
    format!(
        "Test it:  cd {dir} && python3 -m unittest test_{name}
Name it:  evaluations: [{{type: code, grader: \"{name}:grade\"}}]"
    )
}

fn native(name: &str) -> Vec<(String, String)> {
    let named = |text: &str| {
        text.replace("NAME", name)
            .replace("VERSION", env!("CARGO_PKG_VERSION"))
    };
    vec![
        (
            format!("{name}/Cargo.toml"),
            named(include_str!("new/manifest.toml")),
        ),
        (
            format!("{name}/src/lib.rs"),
            named(include_str!("new/lib.rs.txt")),
        ),
    ]
}

fn native_next(args: &GraderNew) -> String {
    let (name, dir) = (&args.name, args.dir.join(&args.name));
    let dir = dir.display();
    format!(
        "Test it:  cd {dir} && cargo test
Build it: cd {dir} && cargo build --release
Name it:  evaluations: [{{type: code, grader: \"{name}:grade\"}}]
Find it:  execution: {{grader_path: [{name}/target/release]}}"
    )
}
