//! What the backtracking engine knows at a moment, and how it goes back to an earlier one.

use std::ops::Range;

/// A register or a group's end that holds nothing.
pub(super) const UNSET: usize = usize::MAX;

/// What to do on the way back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Otherwise {
    /// Go on from here.
    Resume,
    /// Give back one character of a run, down to `low`.
    Shorten { low: usize },
    /// Take one more character into a run.
    Lengthen { set: usize, left: usize },
    /// Take another turn after all.
    AnotherTurn,
}

/// A place to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) otherwise: Otherwise,
    pub(super) next: usize,
    pub(super) restores: bool,
    position: usize,
    last_end: Option<usize>,
    n_old_ends: usize,
    n_old_registers: usize,
}

/// Where it is, what the groups and registers hold, and what they held at each choice.
#[derive(Debug)]
pub(super) struct Memory {
    /// In characters.
    pub(super) position: usize,
    /// The next instruction.
    pub(super) next: usize,
    /// Begin and end of each group.
    ends: Vec<usize>,
    /// The highest entry of `ends` that counts: those above it are stale.
    last_end: Option<usize>,
    registers: Vec<usize>,
    choices: Vec<Choice>,
    /// Entries of `ends` and what they held, the latest change last.
    old_ends: Vec<(usize, usize)>,
    old_registers: Vec<(usize, usize)>,
}

impl Memory {
    pub(super) fn new(n_groups: usize, n_registers: usize) -> Self {
        Self {
            position: 0,
            next: 0,
            ends: vec![UNSET; 2 * n_groups],
            last_end: None,
            registers: vec![UNSET; n_registers],
            choices: Vec::new(),
            old_ends: Vec::new(),
            old_registers: Vec::new(),
        }
    }

    /// Forgets all, to begin at `start`.
    pub(super) fn restart(&mut self, start: usize) {
        self.position = start;
        self.next = 0;
        self.last_end = None;
        self.choices.clear();
        self.old_ends.clear();
        self.old_registers.clear();
    }

    /// How much it holds.
    pub(super) fn n_entries(&self) -> usize {
        self.choices.len() + self.old_ends.len() + self.old_registers.len()
    }

    /// Notes the position as an end of a group.
    pub(super) fn mark(&mut self, end: usize) {
        let fresh = self.last_end.map_or(0, |last| last + 1);
        for between in fresh..end {
            self.set_end(between, UNSET);
        }
        self.last_end = self.last_end.max(Some(end));
        self.set_end(end, self.position);
    }

    fn set_end(&mut self, end: usize, to: usize) {
        if let Some(place) = self.ends.get_mut(end) {
            if !self.choices.is_empty() {
                self.old_ends.push((end, *place));
            }
            *place = to;
        }
    }

    /// What a group has matched.
    pub(super) fn group(&self, group: usize) -> Option<Range<usize>> {
        let end = 2 * group - 1;
        if self.last_end < Some(end) {
            return None;
        }
        let (from, to) = (*self.ends.get(end - 1)?, *self.ends.get(end)?);
        (from != UNSET && to != UNSET && from <= to).then_some(from..to)
    }

    pub(super) fn register(&self, at: usize) -> usize {
        self.registers.get(at).copied().unwrap_or(UNSET)
    }

    pub(super) fn set_register(&mut self, at: usize, to: usize) {
        if let Some(place) = self.registers.get_mut(at) {
            if !self.choices.is_empty() {
                self.old_registers.push((at, *place));
            }
            *place = to;
        }
    }

    /// Choices that are open.
    pub(super) fn n_choices(&self) -> usize {
        self.choices.len()
    }

    /// Opens a choice, to come back to from here.
    pub(super) fn choose(&mut self, otherwise: Otherwise, next: usize, restores: bool) {
        self.choices.push(Choice {
            otherwise,
            next,
            restores,
            position: self.position,
            last_end: self.last_end,
            n_old_ends: self.old_ends.len(),
            n_old_registers: self.old_registers.len(),
        });
    }

    /// Drops the choices opened since their number was noted in a register.
    pub(super) fn forget_choices(&mut self, noted: usize) {
        let n = self.register(noted);
        self.choices.truncate(n);
        if self.choices.is_empty() {
            self.old_ends.clear();
            self.old_registers.clear();
        }
    }

    /// Goes back to the last choice, which is no longer open then.
    pub(super) fn go_back(&mut self) -> Option<Choice> {
        let choice = self.choices.pop()?;
        self.position = choice.position;
        self.next = choice.next;
        self.last_end = choice.last_end;
        undo(
            &mut self.registers,
            &mut self.old_registers,
            choice.n_old_registers,
        );
        if choice.restores {
            undo(&mut self.ends, &mut self.old_ends, choice.n_old_ends);
        }
        Some(choice)
    }
}

fn undo(values: &mut [usize], old: &mut Vec<(usize, usize)>, n_left: usize) {
    let n_left = n_left.min(old.len());
    for (at, value) in old.drain(n_left..).rev() {
        if let Some(place) = values.get_mut(at) {
            *place = value;
        }
    }
}
