//! Repetitions, look-around and back references: the instructions that are more than a step.

use super::{Done, Machine, RUN_PER_STEP, went};
use crate::regex::GaveUp;
use crate::regex::ast::Greed;
use crate::regex::fold::Case;
use crate::regex::memory::Otherwise;
use crate::regex::program::Instruction;

impl Machine<'_> {
    pub(super) fn run_of(
        &mut self,
        set: usize,
        min: usize,
        max: usize,
        greed: Greed,
        restores: bool,
    ) -> Result<Done, GaveUp> {
        let rest = self.chars.get(self.memory.position..).unwrap_or_default();
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
        let low = self.memory.position + min;
        self.memory.position += taken;
        match greed {
            Greed::Greedy if taken > min => {
                self.memory
                    .choose(Otherwise::Shorten { low }, self.memory.next, restores);
            }
            Greed::Lazy if max > min => {
                let left = max - min;
                self.memory.choose(
                    Otherwise::Lengthen { set, left },
                    self.memory.next,
                    restores,
                );
            }
            _ => {}
        }
        Ok(Done::Went)
    }

    /// Whether and when to take another turn; `after_all`: going on without one has failed.
    pub(super) fn decide(&mut self, instruction: Instruction, after_all: bool) -> bool {
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
        let n_turns = self.memory.register(slot);
        let may = n_turns < max && self.memory.position != self.memory.register(slot + 1);
        if n_turns < min {
            self.memory.set_register(slot, n_turns + 1);
            self.memory.next = body;
            return true;
        }
        if after_all {
            if !may {
                return false;
            }
        } else if lazy {
            self.memory
                .choose(Otherwise::AnotherTurn, self.memory.next, restores);
            return true;
        } else if may {
            self.memory
                .choose(Otherwise::Resume, self.memory.next, true);
        } else {
            return true;
        }
        self.memory.set_register(slot, n_turns + 1);
        self.memory.set_register(slot + 1, self.memory.position);
        self.memory.next = body;
        true
    }

    pub(super) fn possess(&mut self, slot: usize, min: usize, max: usize, exit: usize) {
        let n_turns = self.memory.register(slot);
        let noted = self.memory.n_choices();
        if n_turns >= min {
            if n_turns >= max || self.memory.position == self.memory.register(slot + 1) {
                self.memory.next = exit;
                return;
            }
            self.memory.choose(Otherwise::Resume, exit, true);
            self.memory.set_register(slot + 1, self.memory.position);
        }
        self.memory.set_register(slot + 2, noted);
    }

    pub(super) fn look(
        &mut self,
        slot: usize,
        back: usize,
        negated: bool,
        exit: usize,
        restores: bool,
    ) -> Done {
        let Some(from) = self.memory.position.checked_sub(back) else {
            if negated {
                self.memory.next = exit;
            }
            return went(negated);
        };
        let noted = self.memory.n_choices();
        if negated {
            self.memory.choose(Otherwise::Resume, exit, restores);
        }
        self.memory.set_register(slot, noted);
        self.memory.set_register(slot + 1, self.memory.position);
        self.memory.position = from;
        Done::Went
    }

    pub(super) fn back_reference(&mut self, group: usize, case: Case) -> Result<Done, GaveUp> {
        let Some(range) = self.memory.group(group) else {
            return Ok(Done::Failed);
        };
        let before = self.chars.get(range).unwrap_or_default();
        let rest = self.chars.get(self.memory.position..).unwrap_or_default();
        self.spend(before.len() / RUN_PER_STEP)?;
        let same = |a: char, b: char| case.lower(u32::from(a)) == case.lower(u32::from(b));
        let is_there =
            rest.len() >= before.len() && before.iter().zip(rest).all(|(a, b)| same(*a, *b));
        if is_there {
            self.memory.position += before.len();
        }
        Ok(went(is_there))
    }
}
