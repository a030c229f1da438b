//! `cargo xtask bench`: speed and memory, for docs/design/performance.md.
//!
//! Two parts: the criterion benches of the crates, and whole runs of the released program on suites that are made here.
//! Processor time and memory of whole runs come from `/usr/bin/time`; without it only the clock is read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::workspace::{Result, build_holodeck, cargo, must, root, say};

mod suite;

/// Criterion benches: crate and bench.
const BENCHES: &[(&str, &str)] = &[("holodeck-match", "select")];

/// `cargo xtask bench [PART]`
pub(crate) fn run(wanted: &[&str]) -> Result<()> {
    match wanted {
        [] => {
            criterion()?;
            whole_runs()
        }
        ["criterion"] => criterion(),
        ["runs"] => whole_runs(),
        _ => Err("the parts are: criterion, runs".into()),
    }
}

fn criterion() -> Result<()> {
    for (name, bench) in BENCHES {
        must(&mut cargo(&[
            "bench",
            "--quiet",
            "--package",
            name,
            "--bench",
            bench,
        ]))?;
    }
    Ok(())
}

/// What one run took.
struct Cost {
    wall: Duration,
    /// Seconds of the processor, user and system.
    cpu: Option<f64>,
    peak_mib: Option<f64>,
}

/// Runs the released program.
struct Bench {
    program: PathBuf,
    folder: PathBuf,
}

fn whole_runs() -> Result<()> {
    let bench = Bench {
        program: build_holodeck("release")?,
        folder: root().join("target/bench"),
    };
    say("| what | wall | CPU | peak memory | |");
    say("|---|---:|---:|---:|---|");
    bench.version()?;
    bench.mistake()?;
    bench.loading()?;
    for n_cases in [1_000, 10_000] {
        bench.yaml_run(n_cases)?;
    }
    for n_cases in [1_000, 10_000, 100_000] {
        bench.jsonl_run(n_cases)?;
    }
    Ok(())
}

impl Bench {
    fn version(&self) -> Result<()> {
        let folder = self.suite("version", |_| Ok(()))?;
        let cost = self.best_of(20, &folder, &["--version"], 0)?;
        tell("`--version`", &cost, "");
        Ok(())
    }

    fn mistake(&self) -> Result<()> {
        let folder = self.suite("mistake", suite::write_mistake)?;
        let cost = self.best_of(20, &folder, &["test", "agent.yaml"], 2)?;
        tell("one mistake in agent.yaml told", &cost, "");
        Ok(())
    }

    fn loading(&self) -> Result<()> {
        let folder = self.suite("loading", |folder| suite::write_live(folder, 10_000))?;
        let n_bytes = std::fs::metadata(folder.join("agent.yaml"))?.len();
        let megabytes = mega(n_bytes);
        let cost = self.best_of(3, &folder, &["check", "agent.yaml"], 0)?;
        let speed = megabytes / cost.cpu.unwrap_or(cost.wall.as_secs_f64());
        let rest = cost.peak_mib.map_or(String::new(), |peak| {
            format!(", {:.1} x the file in memory", peak * 1.048_576 / megabytes)
        });
        let remark = format!("{speed:.0} MB/s{rest}");
        tell(
            &format!("`check` of {megabytes:.1} MB of YAML"),
            &cost,
            &remark,
        );
        Ok(())
    }

    fn yaml_run(&self, n_cases: usize) -> Result<()> {
        let name = format!("yaml-{n_cases}");
        let folder = self.suite(&name, |folder| suite::write_yaml(folder, n_cases))?;
        self.test_run("YAML", n_cases, &folder)
    }

    fn jsonl_run(&self, n_cases: usize) -> Result<()> {
        let name = format!("jsonl-{n_cases}");
        let folder = self.suite(&name, |folder| suite::write_jsonl(folder, n_cases))?;
        self.test_run("JSONL", n_cases, &folder)
    }

    fn test_run(&self, kind: &str, n_cases: usize, folder: &Path) -> Result<()> {
        let results = folder.join("results");
        if results.exists() {
            std::fs::remove_dir_all(&results)?;
        }
        let cost = self.best_of(1, folder, &["test", "agent.yaml", "-q"], 0)?;
        let of_each = cost.cpu.unwrap_or(cost.wall.as_secs_f64()) * 1e6 / as_f64(n_cases);
        tell(
            &format!("`test` of {n_cases} cases x 4 turns, {kind}"),
            &cost,
            &format!("{of_each:.0} us a case"),
        );
        Ok(())
    }

    /// A folder with a suite in it, made on the first call.
    fn suite(&self, name: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder)?;
        write(&folder)?;
        Ok(folder)
    }

    fn best_of(&self, n: usize, folder: &Path, args: &[&str], code: i32) -> Result<Cost> {
        let mut costs = (0..n).map(|_| self.once(folder, args, code));
        let mut best = costs.next().ok_or("no run was asked for")??;
        for cost in costs {
            let cost = cost?;
            best.wall = best.wall.min(cost.wall);
            best.cpu = best.cpu.into_iter().chain(cost.cpu).reduce(f64::min);
        }
        Ok(best)
    }

    fn once(&self, folder: &Path, args: &[&str], code: i32) -> Result<Cost> {
        let timer = Path::new("/usr/bin/time");
        let report = folder.join("time.txt");
        let mut command = if timer.exists() {
            let mut command = Command::new(timer);
            command
                .args(["-f", "%U %S %M", "-o"])
                .arg(&report)
                .arg(&self.program);
            command
        } else {
            Command::new(&self.program)
        };
        command
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status()?;
        let wall = begun.elapsed();
        if status.code() != Some(code) {
            return Err(format!(
                "holodeck {} in {} ended with {status}",
                args.join(" "),
                folder.display()
            )
            .into());
        }
        let numbers: Vec<f64> = std::fs::read_to_string(&report)
            .unwrap_or_default()
            .lines()
            .last()
            .unwrap_or_default()
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        let (cpu, peak_mib) = match *numbers {
            [user, system, kib] => (Some(user + system), Some(kib / 1024.0)),
            _ => (None, None),
        };
        Ok(Cost {
            wall,
            cpu,
            peak_mib,
        })
    }
}

fn tell(what: &str, cost: &Cost, remark: &str) {
    let wall = cost.wall.as_secs_f64() * 1e3;
    let cpu = cost
        .cpu
        .map_or("-".to_owned(), |s| format!("{:.0} ms", s * 1e3));
    let peak = cost
        .peak_mib
        .map_or("-".to_owned(), |mib| format!("{mib:.0} MiB"));
    say(&format!(
        "| {what} | {wall:.1} ms | {cpu} | {peak} | {remark} |"
    ));
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mega(n_bytes: u64) -> f64 {
    n_bytes as f64 / 1e6
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn as_f64(n: usize) -> f64 {
    n as f64
}
