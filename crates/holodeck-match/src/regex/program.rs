//! A pattern as instructions for the backtracking engine.

use super::ast::Greed;
use super::charset::CharSet;
use super::fold::Case;
use super::ir::{Ir, Place, Step};

/// One instruction. Targets are indexes of instructions, `slot`s indexes of registers.
///
/// `restores`: whether going back to this choice also brings back the groups' old ends. In CPython it does so only
/// inside a repetition; elsewhere groups that were set since are merely forgotten.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Char(u32),
    Set(usize),
    Place(Place),
    /// Notes the position as an end of a group.
    Mark(usize),
    /// Goes on; on failure, from `other`.
    Try {
        other: usize,
        restores: bool,
    },
    Jump(usize),
    /// A repetition of one character.
    Run {
        set: usize,
        min: usize,
        max: usize,
        greed: Greed,
        restores: bool,
    },
    /// Begins a repetition.
    LoopStart {
        slot: usize,
    },
    /// Decides on another turn.
    Loop {
        slot: usize,
        min: usize,
        max: usize,
        lazy: bool,
        body: usize,
        restores: bool,
    },
    /// Decides on another turn of a possessive repetition.
    Possess {
        slot: usize,
        min: usize,
        max: usize,
        exit: usize,
    },
    /// Ends a turn of a possessive repetition: what it could have done otherwise is forgotten.
    PossessEnd {
        slot: usize,
        head: usize,
    },
    /// Begins an atomic group.
    AtomicStart {
        slot: usize,
    },
    /// Ends it: what it could have done otherwise is forgotten.
    AtomicEnd {
        slot: usize,
    },
    /// Begins a look-around.
    Look {
        slot: usize,
        back: usize,
        negated: bool,
        exit: usize,
        restores: bool,
    },
    /// Ends it.
    LookEnd {
        slot: usize,
        negated: bool,
    },
    BackRef {
        group: usize,
        case: Case,
    },
    /// Jumps unless the group has been matched.
    Unless {
        group: usize,
        target: usize,
    },
    Matched,
}

/// Registers that each of the structures with a `slot` has.
pub(super) const SLOT_SIZE: usize = 3;

/// A whole pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) code: Vec<Instruction>,
    pub(super) sets: Vec<CharSet>,
    pub(super) n_registers: usize,
    pub(super) n_groups: usize,
    /// The fewest characters that a match takes.
    pub(super) min_width: usize,
    /// What a match that is searched for must begin with besides.
    pub(super) starts: Option<CharSet>,
}

/// Writes the instructions.
pub(super) fn assemble(ir: &Ir) -> Program {
    let mut assembler = Assembler {
        code: Vec::new(),
        sets: &ir.sets,
        n_registers: 0,
    };
    assembler.all(&ir.body, false);
    assembler.code.push(Instruction::Matched);
    Program {
        code: assembler.code,
        sets: ir.sets.clone(),
        n_registers: assembler.n_registers,
        n_groups: ir.n_groups,
        min_width: ir.min_width,
        starts: ir.starts.clone(),
    }
}

struct Assembler<'a> {
    code: Vec<Instruction>,
    sets: &'a [CharSet],
    n_registers: usize,
}

impl Assembler<'_> {
    fn here(&self) -> usize {
        self.code.len()
    }
    fn slot(&mut self) -> usize {
        let slot = self.n_registers;
        self.n_registers += SLOT_SIZE;
        slot
    }
    /// Pushes an instruction that is not known yet.
    fn reserve(&mut self) -> usize {
        self.code.push(Instruction::Matched);
        self.here() - 1
    }
    fn fill(&mut self, at: usize, instruction: Instruction) {
        if let Some(place) = self.code.get_mut(at) {
            *place = instruction;
        }
    }

    /// `in_loop`: whether a repetition (not a possessive one) lies around.
    fn all(&mut self, steps: &[Step], in_loop: bool) {
        for step in steps {
            self.one(step, in_loop);
        }
    }

    fn one(&mut self, step: &Step, in_loop: bool) {
        match step {
            Step::Set(set) => {
                let single = self.sets.get(*set).and_then(CharSet::single);
                self.code
                    .push(single.map_or(Instruction::Set(*set), Instruction::Char));
            }
            Step::Place(place) => self.code.push(Instruction::Place(*place)),
            Step::Capture(group, body) => {
                self.code.push(Instruction::Mark(2 * (group - 1)));
                self.all(body, in_loop);
                self.code.push(Instruction::Mark(2 * (group - 1) + 1));
            }
            Step::Atomic(body) => {
                let slot = self.slot();
                self.code.push(Instruction::AtomicStart { slot });
                self.all(body, in_loop);
                self.code.push(Instruction::AtomicEnd { slot });
            }
            Step::Look {
                back,
                negated,
                body,
            } => {
                let slot = self.slot();
                let head = self.reserve();
                self.all(body, in_loop);
                let negated = *negated;
                self.code.push(Instruction::LookEnd { slot, negated });
                let look = Instruction::Look {
                    slot,
                    back: *back,
                    negated,
                    exit: self.here(),
                    restores: in_loop,
                };
                self.fill(head, look);
            }
            Step::Repeat {
                min,
                max,
                greed,
                body,
                ..
            } => self.repeat(count(*min), count(*max), *greed, body, in_loop),
            Step::BackRef(group, case) => self.code.push(Instruction::BackRef {
                group: *group,
                case: *case,
            }),
            Step::Condition { group, yes, no } => {
                let head = self.reserve();
                self.all(yes, in_loop);
                let jump = (!no.is_empty()).then(|| self.reserve());
                let target = self.here();
                let group = *group;
                self.fill(head, Instruction::Unless { group, target });
                self.all(no, in_loop);
                if let Some(jump) = jump {
                    self.fill(jump, Instruction::Jump(self.here()));
                }
            }
            Step::Alternatives(branches) => self.alternatives(branches, in_loop),
        }
    }

    fn alternatives(&mut self, branches: &[Vec<Step>], in_loop: bool) {
        let mut jumps = Vec::with_capacity(branches.len());
        for (i, branch) in branches.iter().enumerate() {
            if i + 1 == branches.len() {
                self.all(branch, in_loop);
                break;
            }
            let head = self.reserve();
            self.all(branch, in_loop);
            jumps.push(self.reserve());
            let other = self.here();
            let restores = in_loop;
            self.fill(head, Instruction::Try { other, restores });
        }
        let end = self.here();
        for jump in jumps {
            self.fill(jump, Instruction::Jump(end));
        }
    }

    fn repeat(&mut self, min: usize, max: usize, greed: Greed, body: &[Step], in_loop: bool) {
        if let [Step::Set(set)] = body {
            self.code.push(Instruction::Run {
                set: *set,
                min,
                max,
                greed,
                restores: in_loop,
            });
            return;
        }
        let slot = self.slot();
        self.code.push(Instruction::LoopStart { slot });
        let head = self.reserve();
        if greed == Greed::Possessive {
            self.all(body, in_loop);
            self.code.push(Instruction::PossessEnd { slot, head });
            let exit = self.here();
            let possess = Instruction::Possess {
                slot,
                min,
                max,
                exit,
            };
            self.fill(head, possess);
            return;
        }
        self.all(body, true);
        self.fill(head, Instruction::Jump(self.here()));
        self.code.push(Instruction::Loop {
            slot,
            min,
            max,
            lazy: greed == Greed::Lazy,
            body: head + 1,
            restores: in_loop,
        });
    }
}

/// A repeat count; unbounded is beyond any text.
fn count(n: u32) -> usize {
    match n {
        super::ast::UNBOUNDED => usize::MAX,
        n => usize::try_from(n).unwrap_or(usize::MAX),
    }
}
