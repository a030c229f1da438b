//! The engine for what the linear one cannot do: it tries one way after the other, as CPython's does, and counts its steps.
//!
//! It keeps its own stacks, so neither pattern nor text can exhaust the thread's, and it gives up past its budget.

mod turns;

use super::charset::is_word;
use super::ir::Place;
use super::memory::{Memory, Otherwise, UNSET};
use super::program::{Instruction, Program};
use super::{Found, GaveUp, STEP_LIMIT};

/// Steps for each byte of a text too long for [`STEP_LIMIT`].
const STEPS_PER_BYTE: usize = 16;

/// Characters of a run that are looked at in one step.
const RUN_PER_STEP: usize = 8;

/// Entries on all stacks together beyond which it gives up, whatever its budget.
const MAX_ENTRIES: usize = 1_500_000;

/// What a match must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The whole text.
    Full,
    /// The first found.
    First,
}

/// Runs `program` over `text` for at most `limit` steps; what it finds is in characters.
pub(super) fn run(
    program: &Program,
    text: &str,
    mode: Mode,
    limit: usize,
) -> Result<Option<Found>, GaveUp> {
    let chars: Vec<char> = text.chars().collect();
    let Some(last) = chars.len().checked_sub(program.min_width) else {
        return Ok(None);
    };
    let last_start = match mode {
        Mode::Full => 0,
        Mode::First => last,
    };
    let mut machine = Machine {
        program,
        chars: &chars,
        mode,
        memory: Memory::new(program.n_groups, program.n_registers),
        n_steps: 0,
        limit,
    };
    for start in 0..=last_start {
        if mode == Mode::First && !machine.may_start(start) {
            continue;
        }
        machine.memory.restart(start);
        if machine.runs()? {
            let whole = start..machine.memory.position;
            let picked = if program.n_groups > 0 {
                machine.memory.group(1)
            } else {
                Some(whole.clone())
            };
            return Ok(Some(Found { whole, picked }));
        }
    }
    Ok(None)
}

/// The steps that may be taken on `text`.
pub(super) fn limit_for(text: &str) -> usize {
    STEP_LIMIT.max(text.len().saturating_mul(STEPS_PER_BYTE))
}

struct Machine<'a> {
    program: &'a Program,
    chars: &'a [char],
    mode: Mode,
    memory: Memory,
    n_steps: usize,
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
    fn may_start(&self, start: usize) -> bool {
        let starts = self.program.starts.as_ref();
        starts.is_none_or(|set| self.char_at(start).is_some_and(|c| set.contains(c)))
    }

    /// Whether it matches from where it stands.
    fn runs(&mut self) -> Result<bool, GaveUp> {
        loop {
            self.spend(1)?;
            let Some(instruction) = self.program.code.get(self.memory.next) else {
                return Ok(false);
            };
            self.memory.next += 1;
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
        self.n_steps = self.n_steps.saturating_add(n);
        if self.n_steps <= self.limit && self.memory.n_entries() <= MAX_ENTRIES {
            return Ok(());
        }
        let steps = self.n_steps.min(self.limit);
        Err(GaveUp { steps })
    }

    fn execute(&mut self, instruction: Instruction) -> Result<Done, GaveUp> {
        Ok(match instruction {
            Instruction::Char(c) => went(self.take(|_, there| there == c)),
            Instruction::Set(set) => went(self.take(|machine, there| machine.in_set(set, there))),
            Instruction::Place(place) => went(self.is_at(place)),
            Instruction::Mark(end) => {
                self.memory.mark(end);
                Done::Went
            }
            Instruction::Try { other, restores } => {
                self.memory.choose(Otherwise::Resume, other, restores);
                Done::Went
            }
            Instruction::Jump(target) => {
                self.memory.next = target;
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
                self.memory.set_register(slot, 0);
                self.memory.set_register(slot + 1, UNSET);
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
                self.memory.forget_choices(slot + 2);
                self.memory
                    .set_register(slot, self.memory.register(slot) + 1);
                self.memory.next = head;
                Done::Went
            }
            Instruction::AtomicStart { slot } => {
                self.memory.set_register(slot, self.memory.n_choices());
                Done::Went
            }
            Instruction::AtomicEnd { slot } => {
                self.memory.forget_choices(slot);
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
                self.memory.forget_choices(slot);
                self.memory.position = self.memory.register(slot + 1);
                went(!negated)
            }
            Instruction::BackRef { group, case } => return self.back_reference(group, case),
            Instruction::Unless { group, target } => {
                if self.memory.group(group).is_none() {
                    self.memory.next = target;
                }
                Done::Went
            }
            Instruction::Matched => {
                if self.mode == Mode::Full && self.memory.position != self.chars.len() {
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
        let there = self.char_at(self.memory.position);
        let takes = there.is_some_and(|c| wanted(self, c));
        self.memory.position += usize::from(takes);
        takes
    }

    fn is_at(&self, place: Place) -> bool {
        let feed = |c: Option<u32>| c == Some(u32::from('\n'));
        let here = self.char_at(self.memory.position);
        let before = self
            .memory
            .position
            .checked_sub(1)
            .and_then(|at| self.char_at(at));
        match place {
            Place::TextStart => before.is_none(),
            Place::TextEnd => here.is_none(),
            Place::LineStart => before.is_none() || feed(before),
            Place::LineEnd => here.is_none() || feed(here),
            Place::LastLineEnd => {
                here.is_none() || feed(here) && self.memory.position + 1 == self.chars.len()
            }
            Place::Boundary { ascii, negated } => {
                let word = |c: Option<u32>| c.is_some_and(|c| is_word(c, ascii));
                !self.chars.is_empty() && (word(before) != word(here)) != negated
            }
        }
    }

    /// Takes the last choice the other way. `false` where there is none left.
    fn go_back(&mut self) -> Result<bool, GaveUp> {
        while let Some(choice) = self.memory.go_back() {
            self.spend(1)?;
            match choice.otherwise {
                Otherwise::Resume => return Ok(true),
                Otherwise::Shorten { low } => {
                    self.memory.position -= 1;
                    if self.memory.position > low {
                        self.memory
                            .choose(choice.otherwise, choice.next, choice.restores);
                    }
                    return Ok(true);
                }
                Otherwise::Lengthen { set, left } => {
                    if self.take(|machine, c| machine.in_set(set, c)) {
                        if left > 1 {
                            let left = left - 1;
                            let more = Otherwise::Lengthen { set, left };
                            self.memory.choose(more, choice.next, choice.restores);
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
}
