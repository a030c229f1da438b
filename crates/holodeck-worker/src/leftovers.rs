//! Processes that a worker leaves behind, found by their place in the tree and by the mark in their environment.
//!
//! Reads `/proc`; where there is none it finds nothing, and the process group is all that is ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::command::MARKER;

/// How often is looked before giving up; something that starts processes faster than they can be ended is no longer ours to end.
const ROUNDS: u32 = 400;
/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Which processes are meant.
#[derive(Debug, Clone)]
pub(crate) enum Whose {
    /// Those of one worker, by its mark.
    Worker(String),
    /// Those of all workers of a pool, by the beginning of their marks.
    Pool(String),
}

/// Ends all processes of `whose` and what is below `root` in the tree, but not `root` itself; returns when none is left.
pub(crate) fn end_all(whose: &Whose, root: Option<Pid>) {
    for round in 0..ROUNDS {
        let found = find(whose, root.map(|pid| pid.as_raw_nonzero().get()));
        if found.is_empty() {
            return;
        }
        for pid in found.into_iter().filter_map(Pid::from_raw) {
            // It may have ended meanwhile, or belong to another user.
            let _ = kill_process(pid, Signal::KILL);
        }
        if round > 0 {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Whether a process of `whose` runs.
#[cfg(test)]
pub(crate) fn any(whose: &Whose) -> bool {
    !find(whose, None).is_empty()
}

/// The processes that still run, `root` and this process left out.
fn find(whose: &Whose, root: Option<i32>) -> BTreeSet<i32> {
    let mut parents = BTreeMap::new();
    let mut found = BTreeSet::new();
    for pid in pids() {
        let Some(parent) = parent_if_running(pid) else {
            continue;
        };
        parents.insert(pid, parent);
        if is_marked(pid, whose) {
            found.insert(pid);
        }
    }
    if let Some(root) = root {
        let below = parents.keys().filter(|pid| is_below(**pid, root, &parents));
        found.extend(below);
        found.remove(&root);
    }
    found.remove(&rustix::process::getpid().as_raw_nonzero().get());
    found
}

fn is_below(pid: i32, root: i32, parents: &BTreeMap<i32, i32>) -> bool {
    let mut at = pid;
    // Bounded, as the tree changes while it is read and might come out as a ring.
    for _ in 0..parents.len() {
        match parents.get(&at) {
            Some(parent) if *parent == root => return true,
            Some(parent) => at = *parent,
            None => return false,
        }
    }
    false
}

fn pids() -> impl Iterator<Item = i32> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// The parent of a process; `None` if it has ended, waiting to be reaped or not.
fn parent_if_running(pid: i32) -> Option<i32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // `pid (name) state parent ..`, and the name may hold anything.
    let after_name = stat.iter().rposition(|b| *b == b')')? + 1;
    let fields = std::str::from_utf8(&stat[after_name..]).ok()?;
    let mut fields = fields.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.next()?.parse().ok()
}

fn is_marked(pid: i32, whose: &Whose) -> bool {
    let Ok(environ) = fs::read(format!("/proc/{pid}/environ")) else {
        return false;
    };
    environ.split(|b| *b == 0).any(|entry| {
        let mark = entry
            .strip_prefix(MARKER.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"="));
        match (mark, whose) {
            (Some(mark), Whose::Worker(ours)) => mark == ours.as_bytes(),
            (Some(mark), Whose::Pool(ours)) => mark.starts_with(ours.as_bytes()),
            (None, _) => false,
        }
    })
}
