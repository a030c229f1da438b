//! The engine for what the linear one cannot do: it tries one way after the other, as CPython's does, and counts its steps.
//!
//! It keeps its own stacks, so neither pattern nor text can exhaust the thread's, and it gives up past its budget.

use std::ops::Range;

use super::ast::Greed;
use super::charset::is_word;
use super::fold::Case;
use super::ir::Place;
use super::program::{Instruction, Program};
use super::{GaveUp, STEP_LIMIT};

/// Steps for each character of a text too long for [`STEP_LIMIT`].
const STEPS_PER_CHAR: usize = 16;

/// Characters of a run that are looked at in one step.
const RUN_PER_STEP: usize = 8;

/// Entries on all stacks together beyond which it gives up, whatever its budget.
const MAX_ENTRIES: usize = 1_500_000;

/// A register or a group's end that holds nothing.
const UNSET: usize = usize::MAX;

/// What a match must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The whole text.
    Full,
    /// The first found.
    First,
}

/// A match: the range of its group 1 (`None` if that took no part), or of the whole where there is no group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found(pub(super) Option<Range<usize>>);

/// Runs `program` over `text`.
pub(super) fn run(program: &Program, text: &str, mode: Mode) -> Result<Option<Found>, GaveUp> {
    let chars: Vec<char> = text.chars().collect();
    let limit = STEP_LIMIT.max(chars.len().saturating_mul(STEPS_PER_CHAR));
    let last_start = match mode {
        Mode::Full => 0,
        Mode::First => chars.len(),
    };
    let mut machine = Machine {
        program,
        chars: &chars,
        mode,
        position: 0,
        next: 0,
        ends: vec![UNSET; 2 * program.n_groups],
        last_end: None,
        registers: vec![UNSET; program.n_registers],
        choices: Vec::new(),
        old_ends: Vec::new(),
        old_registers: Vec::new(),
        steps_left: limit,
        limit,
    };
    for start in 0..=last_start {
        if mode == Mode::First && !machine.may_start(start) {
            continue;
        }
        machine.restart(start);
        if machine.runs()? {
            let whole = start..machine.position;
            let found = if program.n_groups > 0 {
                machine.group(1)
            } else {
                Some(whole)
            };
            return Ok(Some(Found(found)));
        }
    }
    Ok(None)
}

/// What to do on the way back.
#[derive(Clone, Copy, Debug)]
enum Otherwise {
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
struct Choice {
    otherwise: Otherwise,
    next: usize,
    position: usize,
    last_end: Option<usize>,
    n_old_ends: usize,
    n_old_registers: usize,
    restores: bool,
}

struct Machine<'a> {
    program: &'a Program,
    chars: &'a [char],
    mode: Mode,
    position: usize,
    next: usize,
    /// Begin and end of each group.
    ends: Vec<usize>,
    /// The highest entry of `ends` that counts: those above it are stale.
    last_end: Option<usize>,
    registers: Vec<usize>,
    choices: Vec<Choice>,
    old_ends: Vec<(usize, usize)>,
    old_registers: Vec<(usize, usize)>,
    steps_left: usize,
    limit: usize,
}

/// What an instruction came to.
enum Done {
    Went,
    Failed,
    Matched,
}

/// `Went` if so, else `Failed`.
fn went(so: bool) -> Done {
    if so { Done::Went } else { Done::Failed }
}

impl Machine<'_> {
    fn restart(&mut self, start: usize) {
        self.position = start;
        self.next = 0;
        self.last_end = None;
        self.choices.clear();
        self.old_ends.clear();
        self.old_registers.clear();
    }

    fn may_start(&self, start: usize) -> bool {
        let starts = self.program.starts.as_ref();
        starts.is_none_or(|set| self.char_at(start).is_some_and(|c| set.contains(c)))
    }

    /// Whether it matches from where it stands.
    fn runs(&mut self) -> Result<bool, GaveUp> {
        loop {
            self.spend(1)?;
            let Some(instruction) = self.program.code.get(self.next) else {
                return Ok(false);
            };
            self.next += 1;
            match self.execute(*instruction)? {
                Done::Went => {}
                Done::Matched => return Ok(true),
                Done::Failed => {
                    if !self.go_back()? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    fn spend(&mut self, n: usize) -> Result<(), GaveUp> {
        let entries = self.choices.len() + self.old_ends.len() + self.old_registers.len();
        match self.steps_left.checked_sub(n) {
            Some(left) if entries < MAX_ENTRIES => {
                self.steps_left = left;
                Ok(())
            }
            _ => Err(GaveUp { steps: self.limit }),
        }
    }

    fn execute(&mut self, instruction: Instruction) -> Result<Done, GaveUp> {
        Ok(match instruction {
            Instruction::Char(c) => went(self.take(|_, there| there == c)),
            Instruction::Set(set) => went(self.take(|machine, there| machine.in_set(set, there))),
            Instruction::Place(place) => went(self.is_at(place)),
            Instruction::Mark(end) => {
                self.mark(end);
                Done::Went
            }
            Instruction::Try { other, restores } => {
                self.choose(Otherwise::Resume, other, restores);
                Done::Went
            }
            Instruction::Jump(target) => {
                self.next = target;
                Done::Went
            }
            Instruction::Run {
                set,
                min,
                max,
                greed,
                restores,
            } => return self.run_of(set, min, max, greed, restores),
            Instruction::LoopStart { slot } => {
                self.set_register(slot, 0);
                self.set_register(slot + 1, UNSET);
                Done::Went
            }
            Instruction::Loop { .. } => {
                self.decide(instruction, false);
                Done::Went
            }
            Instruction::Possess {
                slot,
                min,
                max,
                exit,
            } => {
                self.possess(slot, min, max, exit);
                Done::Went
            }
            Instruction::PossessEnd { slot, head } => {
                self.forget_choices(slot + 2);
                self.set_register(slot, self.register(slot) + 1);
                self.next = head;
                Done::Went
            }
            Instruction::AtomicStart { slot } => {
                self.set_register(slot, self.choices.len());
                Done::Went
            }
            Instruction::AtomicEnd { slot } => {
                self.forget_choices(slot);
                Done::Went
            }
            Instruction::Look {
                slot,
                back,
                negated,
                exit,
                restores,
            } => return Ok(self.look(slot, back, negated, exit, restores)),
            Instruction::LookEnd { slot, negated } => {
                self.forget_choices(slot);
                self.position = self.register(slot + 1);
                went(!negated)
            }
            Instruction::BackRef { group, case } => return self.back_reference(group, case),
            Instruction::Unless { group, target } => {
                if self.group(group).is_none() {
                    self.next = target;
                }
                Done::Went
            }
            Instruction::Matched => {
                if self.mode == Mode::Full && self.position != self.chars.len() {
                    Done::Failed
                } else {
                    Done::Matched
                }
            }
        })
    }

    fn char_at(&self, position: usize) -> Option<u32> {
        self.chars.get(position).copied().map(u32::from)
    }

    fn in_set(&self, set: usize, c: u32) -> bool {
        self.program
            .sets
            .get(set)
            .is_some_and(|set| set.contains(c))
    }

    fn take(&mut self, wanted: impl Fn(&Self, u32) -> bool) -> bool {
        let there = self.char_at(self.position);
        let takes = there.is_some_and(|c| wanted(self, c));
        self.position += usize::from(takes);
        takes
    }

    fn is_at(&self, place: Place) -> bool {
        let feed = |c: Option<u32>| c == Some(u32::from('\n'));
        let here = self.char_at(self.position);
        let before = self.position.checked_sub(1).and_then(|at| self.char_at(at));
        match place {
            Place::TextStart => before.is_none(),
            Place::TextEnd => here.is_none(),
            Place::LineStart => before.is_none() || feed(before),
            Place::LineEnd => here.is_none() || feed(here),
            Place::LastLineEnd => {
                here.is_none() || feed(here) && self.position + 1 == self.chars.len()
            }
            Place::Boundary { ascii, negated } => {
                let word = |c: Option<u32>| c.is_some_and(|c| is_word(c, ascii));
                !self.chars.is_empty() && (word(before) != word(here)) != negated
            }
        }
    }

    fn mark(&mut self, end: usize) {
        let position = self.position;
        let fresh = self.last_end.map_or(0, |last| last + 1);
        for between in fresh..end {
            self.set_end(between, UNSET);
        }
        self.last_end = self.last_end.max(Some(end));
        self.set_end(end, position);
    }

    fn set_end(&mut self, end: usize, to: usize) {
        if let Some(place) = self.ends.get_mut(end) {
            self.old_ends.push((end, *place));
            *place = to;
        }
    }

    /// What a group has matched.
    fn group(&self, group: usize) -> Option<Range<usize>> {
        let end = 2 * group - 1;
        if self.last_end < Some(end) {
            return None;
        }
        let (from, to) = (*self.ends.get(end - 1)?, *self.ends.get(end)?);
        (from != UNSET && to != UNSET && from <= to).then_some(from..to)
    }

    fn register(&self, at: usize) -> usize {
        self.registers.get(at).copied().unwrap_or(UNSET)
    }

    fn set_register(&mut self, at: usize, to: usize) {
        if let Some(place) = self.registers.get_mut(at) {
            if !self.choices.is_empty() {
                self.old_registers.push((at, *place));
            }
            *place = to;
        }
    }

    fn choose(&mut self, otherwise: Otherwise, next: usize, restores: bool) {
        self.choices.push(Choice {
            otherwise,
            next,
            position: self.position,
            last_end: self.last_end,
            n_old_ends: self.old_ends.len(),
            n_old_registers: self.old_registers.len(),
            restores,
        });
    }

    /// Drops the choices made since their number was noted in a register.
    fn forget_choices(&mut self, noted: usize) {
        let n = self.register(noted);
        self.choices.truncate(n);
    }

    /// Takes the last choice the other way. `false` where there is none left.
    fn go_back(&mut self) -> Result<bool, GaveUp> {
        while let Some(choice) = self.choices.pop() {
            self.spend(1)?;
            self.restore(&choice);
            match choice.otherwise {
                Otherwise::Resume => return Ok(true),
                Otherwise::Shorten { low } => {
                    self.position -= 1;
                    if self.position > low {
                        self.choose(choice.otherwise, choice.next, choice.restores);
                    }
                    return Ok(true);
                }
                Otherwise::Lengthen { set, left } => {
                    if self.take(|machine, c| machine.in_set(set, c)) {
                        if left > 1 {
                            let left = left - 1;
                            let more = Otherwise::Lengthen { set, left };
                            self.choose(more, choice.next, choice.restores);
                        }
                        return Ok(true);
                    }
                }
                Otherwise::AnotherTurn => {
                    let at = choice.next - 1;
                    if let Some(instruction) = self.program.code.get(at).copied()
                        && self.decide(instruction, true)
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn restore(&mut self, choice: &Choice) {
        self.position = choice.position;
        self.next = choice.next;
        self.last_end = choice.last_end;
        let since = choice.n_old_registers.min(self.old_registers.len());
        for (at, old) in self.old_registers.drain(since..).rev() {
            if let Some(place) = self.registers.get_mut(at) {
                *place = old;
            }
        }
        if choice.restores {
            let since = choice.n_old_ends.min(self.old_ends.len());
            for (at, old) in self.old_ends.drain(since..).rev() {
                if let Some(place) = self.ends.get_mut(at) {
                    *place = old;
                }
            }
        }
    }

    fn run_of(
        &mut self,
        set: usize,
        min: usize,
        max: usize,
        greed: Greed,
        restores: bool,
    ) -> Result<Done, GaveUp> {
        let rest = self.chars.get(self.position..).unwrap_or_default();
        let most = if greed == Greed::Lazy { min } else { max };
        let taken = rest
            .iter()
            .take(most)
            .take_while(|c| self.in_set(set, u32::from(**c)))
            .count();
        self.spend(taken / RUN_PER_STEP)?;
        if taken < min {
            return Ok(Done::Failed);
        }
        let low = self.position + min;
        self.position += taken;
        match greed {
            Greed::Greedy if taken > min => {
                self.choose(Otherwise::Shorten { low }, self.next, restores);
            }
            Greed::Lazy if max > min => {
                let left = max - min;
                self.choose(Otherwise::Lengthen { set, left }, self.next, restores);
            }
            _ => {}
        }
        Ok(Done::Went)
    }

    /// Whether and when to take another turn; `after_all`: going on without one has failed.
    fn decide(&mut self, instruction: Instruction, after_all: bool) -> bool {
        let Instruction::Loop {
            slot,
            min,
            max,
            lazy,
            body,
            restores,
        } = instruction
        else {
            return false;
        };
        // The first time, no turn has been taken: `LoopStart` has left 0, and each turn adds 1 when it begins.
        let n_turns = self.register(slot);
        let may = n_turns < max && self.position != self.register(slot + 1);
        if n_turns < min {
            self.set_register(slot, n_turns + 1);
            self.next = body;
            return true;
        }
        if after_all {
            if !may {
                return false;
            }
        } else if lazy {
            self.choose(Otherwise::AnotherTurn, self.next, restores);
            return true;
        } else if may {
            self.choose(Otherwise::Resume, self.next, true);
        } else {
            return true;
        }
        self.set_register(slot, n_turns + 1);
        self.set_register(slot + 1, self.position);
        self.next = body;
        true
    }

    fn possess(&mut self, slot: usize, min: usize, max: usize, exit: usize) {
        let n_turns = self.register(slot);
        let noted = self.choices.len();
        if n_turns >= min {
            if n_turns >= max || self.position == self.register(slot + 1) {
                self.next = exit;
                return;
            }
            self.choose(Otherwise::Resume, exit, true);
            self.set_register(slot + 1, self.position);
        }
        self.set_register(slot + 2, noted);
    }

    fn look(
        &mut self,
        slot: usize,
        back: usize,
        negated: bool,
        exit: usize,
        restores: bool,
    ) -> Done {
        let Some(from) = self.position.checked_sub(back) else {
            if negated {
                self.next = exit;
            }
            return went(negated);
        };
        let noted = self.choices.len();
        if negated {
            self.choose(Otherwise::Resume, exit, restores);
        }
        self.set_register(slot, noted);
        self.set_register(slot + 1, self.position);
        self.position = from;
        Done::Went
    }

    fn back_reference(&mut self, group: usize, case: Case) -> Result<Done, GaveUp> {
        let Some(range) = self.group(group) else {
            return Ok(Done::Failed);
        };
        let before = self.chars.get(range).unwrap_or_default();
        let rest = self.chars.get(self.position..).unwrap_or_default();
        self.spend(before.len() / RUN_PER_STEP)?;
        let same = |a: char, b: char| case.lower(u32::from(a)) == case.lower(u32::from(b));
        let is_there =
            rest.len() >= before.len() && before.iter().zip(rest).all(|(a, b)| same(*a, *b));
        if is_there {
            self.position += before.len();
        }
        Ok(went(is_there))
    }
}
