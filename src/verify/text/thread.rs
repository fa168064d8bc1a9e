//! A thread: registers, locations, and instructions between them.

use super::token::Token;
use super::{Names, Reader, Scope};
use crate::Refusal;
use crate::expr::Expr;
use crate::program::{FIRST_ADDRESS, Instruction, Op, Overlap, Thread, Update};

impl<'t> Reader<'t> {
    /// A thread, after its keyword.
    pub(super) fn thread(&mut self) -> Result<(), Refusal> {
        self.at += 1;
        let name = self.thread_name()?;
        let any_number = self.takes(Token::Sign("["));
        if any_number {
            self.sign("*")?;
            self.sign("]")?;
        }
        let mut names = Names::default();
        let mut registers = Vec::new();
        if self.takes(Token::Name("regs")) {
            loop {
                let register = self.name()?;
                let set = self.takes(Token::Sign("="));
                let value = if set { self.number()? } else { 0 };
                if names.registers.insert(register, registers.len()).is_some() {
                    return self.wrong("registers with different names");
                }
                registers.push((register.to_owned(), value));
                if !self.takes(Token::Sign(",")) {
                    break;
                }
            }
        }
        self.word("locations")?;
        let mut locations = Vec::new();
        loop {
            let generated = self.takes(Token::Sign("("));
            let location = self.name()?;
            if generated {
                self.sign(")")?;
            }
            if names.locations.insert(location, locations.len()).is_some() {
                return self.wrong("locations with different names");
            }
            locations.push(location.to_owned());
            if !self.takes(Token::Sign(",")) {
                break;
            }
        }
        self.word("init")?;
        let entry = self.location(&names)?;
        self.word("begin")?;
        let mut instructions = Vec::new();
        while !self.takes(Token::Name("end")) {
            instructions.push(self.instruction(&names)?);
        }
        let number = self.program.threads.len();
        if self.threads.insert(name.clone(), (number, names)).is_some() {
            return self.wrong("threads with different names");
        }
        self.program.threads.push(Thread {
            name,
            any_number,
            registers,
            locations,
            entry,
            instructions,
            leaving: Vec::new(),
            inside: Vec::new(),
            words: Vec::new(),
        });
        Ok(())
    }

    fn location(&mut self, names: &Names<'t>) -> Result<usize, Refusal> {
        let name = self.name()?;
        let known = names.locations.get(name).copied();
        known.map_or_else(|| self.wrong("a location of the thread before this"), Ok)
    }

    fn instruction(&mut self, names: &Names<'t>) -> Result<Instruction, Refusal> {
        let mut place = "";
        let mut cost = None;
        while self.takes(Token::Sign("@")) {
            let words = ["cost", "nofence", "exchange"];
            let Some(word) = words.into_iter().find(|word| self.takes(Token::Name(word))) else {
                return self.wrong("`cost`, `nofence` or `exchange`");
            };
            place = word;
            cost = (word == "cost").then(|| self.index()).transpose()?;
        }
        let from = self.location(names)?;
        self.sign(":")?;
        let op = self.operation(names)?;
        if place == "exchange" && !matches!(op, Op::Store(..)) {
            return self.wrong("a store before this, which can be an exchange");
        }
        self.sign(";")?;
        self.word("goto")?;
        let to = self.location(names)?;
        self.sign(";")?;
        Ok(Instruction {
            from,
            op,
            to,
            place: match cost {
                Some(cost) => format!("{place} {cost}"),
                None => place.to_owned(),
            },
        })
    }

    fn operation(&mut self, names: &Names<'t>) -> Result<Op, Refusal> {
        let scope = Scope::Thread(names);
        let op = match self.peek() {
            Token::Name("noop") => Op::Skip,
            Token::Name("mfence") => Op::Fence,
            Token::Name("sfence") => Op::LightFence(Vec::new()),
            Token::Name("lock") => {
                self.at += 1;
                return Ok(if !self.takes(Token::Name("word")) {
                    Op::Lock
                } else if self.takes(Token::Name("wait")) {
                    Op::Word(Overlap::Wait)
                } else {
                    Op::Word(Overlap::Combine)
                });
            }
            Token::Name("unlock") => Op::Unlock,
            Token::Name("assume") => {
                self.at += 1;
                return Ok(Op::Assume(self.expression(0, scope)?));
            }
            Token::Name("property") => {
                self.at += 1;
                return Ok(Op::Assert(self.expression(0, scope)?));
            }
            Token::Name("barrier") => {
                self.at += 1;
                self.word("all")?;
                return Ok(Op::Barrier);
            }
            Token::Name("fence") => {
                self.at += 1;
                let mut cells = vec![self.cell()?];
                while self.takes(Token::Sign(",")) {
                    cells.push(self.cell()?);
                }
                cells.sort_unstable();
                cells.dedup();
                return Ok(Op::LightFence(cells));
            }
            Token::Name("mem") => {
                let address = self.memory(names)?;
                self.sign("<-")?;
                return Ok(Op::Store(address, self.expression(0, scope)?));
            }
            Token::Name(_) | Token::Number(_) | Token::Sign(_) | Token::End => {
                return self.assignment(names);
            }
        };
        self.at += 1;
        Ok(op)
    }

    /// An operation that writes a register.
    fn assignment(&mut self, names: &Names<'t>) -> Result<Op, Refusal> {
        let scope = Scope::Thread(names);
        let name = self.name()?;
        let Some(&into) = names.registers.get(name) else {
            return self.wrong("an instruction of a register before this");
        };
        self.sign("<-")?;
        let calls = self.tokens.get(self.at + 1) == Some(&Token::Sign("("));
        match self.peek() {
            Token::Name("mem") => Ok(Op::Load(into, self.memory(names)?)),
            Token::Name("nondet") if calls => {
                self.at += 2;
                let low = self.number()?;
                self.sign(",")?;
                let high = self.number()?;
                if low > high {
                    return self.wrong("a range with a value before this");
                }
                self.sign(")")?;
                Ok(Op::Choose(into, low, high))
            }
            Token::Name(word) if calls => {
                self.at += 2;
                let address = self.memory(names)?;
                self.sign(",")?;
                let first = self.expression(0, scope)?;
                let update = match word {
                    "cas" => {
                        self.sign(",")?;
                        Update::CompareExchange(first, self.expression(0, scope)?)
                    }
                    "xchg" => Update::Exchange(first),
                    "fetch_add" => Update::Add(first),
                    "fetch_sub" => Update::Sub(first),
                    "fetch_and" => Update::And(first),
                    "fetch_or" => Update::Or(first),
                    _ => return self.wrong("a locked instruction before this"),
                };
                self.sign(")")?;
                Ok(Op::Locked(into, address, update))
            }
            Token::Name(_) | Token::Number(_) | Token::Sign(_) | Token::End => {
                Ok(Op::Assign(into, self.expression(0, scope)?))
            }
        }
    }

    /// `mem[address]`: of a cell by its name, unless a register has that name.
    fn memory(&mut self, names: &Names<'t>) -> Result<Expr, Refusal> {
        self.word("mem")?;
        self.sign("[")?;
        let named = match self.peek() {
            Token::Name(name) => !names.registers.contains_key(name),
            Token::Number(_) | Token::Sign(_) | Token::End => false,
        };
        let address = if named {
            Expr::Number(self.cell()? as i32 + FIRST_ADDRESS)
        } else {
            self.expression(0, Scope::Thread(names))?
        };
        self.sign("]")?;
        Ok(address)
    }
}
