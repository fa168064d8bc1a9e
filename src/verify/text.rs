//! The reader of the automaton form, as `fencepost show` prints it, and of nothing else.
//!
//! ```text
//! program NAME;                     shared x = 0;  shared a[3] = {0, 1, 2};
//! thread t0 regs r, s = 1 locations q0, (q1) init q0 begin
//!   @cost 3 q0: r <- mem[x]; goto q1;
//! end
//! forbid t0@q1 && x == 2;           final assert …;   exists …;
//! ```
//!
//! Names are compared as they are written: a quoted name with its backticks and escapes.

mod expression;
mod token;

use super::Refusal;
use super::expr::Expr;
use super::program::{
    FIRST_ADDRESS, Instruction, Kind, MOST_INSTRUCTIONS, Op, Program, Region, Thread, Update,
};
use std::collections::HashMap;
use token::{Token, tokens};

/// A program has at most this many cells.
const MOST_CELLS: usize = 1 << 16;

/// And this many threads, of which so many in any number of copies.
const MOST_THREADS: usize = 1_000;
const MOST_CLASSES: usize = 8;

/// Reads a program.
///
/// # Errors
///
/// The first thing that is not in the automaton form.
pub(super) fn read(text: &str) -> Result<Program, Refusal> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        nested: 0,
        program: Program {
            regions: Vec::new(),
            cells: Vec::new(),
            threads: Vec::new(),
            properties: Vec::new(),
        },
        regions: HashMap::new(),
        threads: HashMap::new(),
    };
    while reader.peek() != Token::End {
        reader.item()?;
    }
    let threads = &mut reader.program.threads;
    let classes = threads.iter().filter(|thread| thread.any_number).count();
    let instructions = threads.iter().map(|thread| thread.instructions.len());
    let is_large = instructions.sum::<usize>() > MOST_INSTRUCTIONS;
    if is_large || threads.len() > MOST_THREADS || classes > MOST_CLASSES {
        return Err(Refusal::unreadable(
            "the program is too large to be checked",
        ));
    }
    for thread in threads {
        thread.complete()?;
    }
    Ok(reader.program)
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    nested: usize,
    program: Program,
    regions: HashMap<&'t str, usize>,
    /// Each thread with the numbers of its registers and locations.
    threads: HashMap<String, (usize, Names<'t>)>,
}

#[derive(Default)]
struct Names<'t> {
    registers: HashMap<&'t str, usize>,
    locations: HashMap<&'t str, usize>,
}

/// What names in an expression refer to.
#[derive(Clone, Copy)]
enum Scope<'n, 't> {
    Thread(&'n Names<'t>),
    Property,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.at).copied().unwrap_or(Token::End)
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, Refusal> {
        let found = match self.peek() {
            Token::Name(text) | Token::Sign(text) => text.to_owned(),
            Token::Number(number) => number.to_string(),
            Token::End => "the end".to_owned(),
        };
        Err(Refusal::unreadable(format!(
            "the program is not in the automaton form: expected {expected}, found {found}"
        )))
    }

    fn takes(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: &str) -> Result<(), Refusal> {
        if self.takes(Token::Sign(sign)) {
            Ok(())
        } else {
            self.wrong(sign)
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Refusal> {
        if self.takes(Token::Name(word)) {
            Ok(())
        } else {
            self.wrong(word)
        }
    }

    fn name(&mut self) -> Result<&'t str, Refusal> {
        match self.peek() {
            Token::Name(name) => {
                self.at += 1;
                Ok(name)
            }
            Token::Number(_) | Token::Sign(_) | Token::End => self.wrong("a name"),
        }
    }

    fn number(&mut self) -> Result<i32, Refusal> {
        let minus = self.takes(Token::Sign("-"));
        let Token::Number(number) = self.peek() else {
            return self.wrong("a number");
        };
        let Ok(number) = i32::try_from(if minus { -number } else { number }) else {
            return self.wrong("a number of 32 bits");
        };
        self.at += 1;
        Ok(number)
    }

    fn index(&mut self) -> Result<usize, Refusal> {
        let at = self.at;
        usize::try_from(self.number()?).or_else(|_| {
            self.at = at;
            self.wrong("a number that is not negative")
        })
    }

    fn item(&mut self) -> Result<(), Refusal> {
        match self.peek() {
            Token::Name("program") => {
                self.at += 1;
                self.name()?;
                self.sign(";")
            }
            Token::Name("shared") => self.region(),
            Token::Name("thread") => self.thread(),
            Token::Name("forbid") => {
                self.at += 1;
                if self.takes(Token::Name("stuck")) {
                    return self.stuck();
                }
                self.property(Kind::Forbid)
            }
            Token::Name("final") => {
                self.at += 1;
                self.word("assert")?;
                self.property(Kind::Final)
            }
            Token::Name("exists") => {
                self.at += 1;
                self.property(Kind::Exists)
            }
            Token::Name(_) | Token::Number(_) | Token::Sign(_) | Token::End => {
                self.wrong("a declaration")
            }
        }
    }

    /// `forbid stuck`, of all threads or of one, in configurations with a predicate.
    fn stuck(&mut self) -> Result<(), Refusal> {
        let of_one = matches!(self.peek(), Token::Name(_));
        if of_one {
            self.thread_name()?;
        }
        let kind = if of_one { Kind::Starved } else { Kind::Stuck };
        if self.takes(Token::Sign("&&")) {
            return self.property(kind);
        }
        self.program.properties.push((kind, Expr::Number(1)));
        self.sign(";")
    }

    fn property(&mut self, kind: Kind) -> Result<(), Refusal> {
        let predicate = self.expression(0, Scope::Property)?;
        self.program.properties.push((kind, predicate));
        self.sign(";")
    }

    fn region(&mut self) -> Result<(), Refusal> {
        self.at += 1;
        let name = self.name()?;
        let first = self.program.cells.len();
        let array = self.takes(Token::Sign("["));
        let length = if array { self.index()? } else { 1 };
        if array {
            self.sign("]")?;
        }
        if length == 0 || length > MOST_CELLS || first + length > MOST_CELLS {
            return self.wrong("a region of at least one cell, and not too many");
        }
        self.sign("=")?;
        if self.takes(Token::Sign("{")) {
            for number in 0..length {
                if number > 0 {
                    self.sign(",")?;
                }
                let value = self.number()?;
                self.program.cells.push(value);
            }
            self.sign("}")?;
        } else {
            let value = self.number()?;
            self.program.cells.resize(first + length, value);
        }
        let region = Region {
            name: name.to_owned(),
            first,
            length,
            array,
        };
        if self
            .regions
            .insert(name, self.program.regions.len())
            .is_some()
        {
            return self.wrong("regions with different names");
        }
        self.program.regions.push(region);
        self.sign(";")
    }

    /// The name of a thread, whose copies have a number after a dot.
    fn thread_name(&mut self) -> Result<String, Refusal> {
        let mut name = self.name()?.to_owned();
        if self.peek() == Token::Sign(".")
            && let Some(Token::Number(number)) = self.tokens.get(self.at + 1)
        {
            name = format!("{name}.{number}");
            self.at += 2;
        }
        Ok(name)
    }

    fn thread(&mut self) -> Result<(), Refusal> {
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
        });
        Ok(())
    }

    fn location(&mut self, names: &Names<'t>) -> Result<usize, Refusal> {
        let name = self.name()?;
        let known = names.locations.get(name).copied();
        known.map_or_else(|| self.wrong("a location of the thread before this"), Ok)
    }

    fn instruction(&mut self, names: &Names<'t>) -> Result<Instruction, Refusal> {
        let mut place = String::new();
        while self.takes(Token::Sign("@")) {
            self.name()?.clone_into(&mut place);
            if place == "cost" {
                place = format!("cost {}", self.index()?);
            }
        }
        let from = self.location(names)?;
        self.sign(":")?;
        let op = self.operation(names)?;
        self.sign(";")?;
        self.word("goto")?;
        let to = self.location(names)?;
        self.sign(";")?;
        Ok(Instruction {
            from,
            op,
            to,
            place,
        })
    }

    fn operation(&mut self, names: &Names<'t>) -> Result<Op, Refusal> {
        let scope = Scope::Thread(names);
        let op = match self.peek() {
            Token::Name("noop") => Op::Skip,
            Token::Name("mfence") => Op::Fence,
            Token::Name("sfence") => Op::LightFence(Vec::new()),
            Token::Name("lock") => Op::Lock,
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

    /// The index of a cell, by its name.
    fn cell(&mut self) -> Result<usize, Refusal> {
        let name = self.name()?;
        let Some(&region) = self.regions.get(name) else {
            return self.wrong("a shared variable before this");
        };
        let Region {
            first,
            length,
            array,
            ..
        } = self.program.regions[region];
        if !array {
            return Ok(first);
        }
        self.sign("[")?;
        let index = self.index()?;
        if index >= length {
            return self.wrong("an index in the array before this");
        }
        self.sign("]")?;
        Ok(first + index)
    }
}
