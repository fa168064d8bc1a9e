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
//! Names are compared as they are written: a quoted name with its backticks and escapes. No name may be
//! written in two ways.
//!
//! **Invariant.** What is accepted here, Fencepost reads as the same program. So everything that it refuses
//! is refused here, too: words of the language as names, divisors that are 0, empty ranges.

mod expression;
mod thread;
mod token;

use super::Refusal;
use super::expr::{Expr, Var};
use super::program::{Kind, MOST_INSTRUCTIONS, Program, Region};
use std::collections::HashMap;
use token::{Token, is_reserved, tokens};

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
        brackets: 0,
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
    for (_, predicate) in &reader.program.properties {
        halts_where_it_says(predicate, &reader.program)?;
    }
    Ok(reader.program)
}

/// Refuses a property that names a location inside an atomic block or an access of several cells, where no thread
/// halts.
fn halts_where_it_says(predicate: &Expr, program: &Program) -> Result<(), Refusal> {
    let mut inside = false;
    predicate.each_var(&mut |var| match var {
        Var::At(thread, at) => inside |= program.threads[thread].inside[at],
        Var::Own(_) | Var::Of(..) | Var::Cell(_) => {}
    });
    if inside {
        return Err(Refusal::unreadable(
            "a property names a location inside an atomic block",
        ));
    }
    Ok(())
}

/// Whether a name in backticks ends like that of a copy: with a dot and a number.
fn ends_in_number(name: &str) -> bool {
    let Some((_, number)) = name.trim_end_matches('`').rsplit_once('.') else {
        return false;
    };
    let is_short = number == "0" || !number.starts_with('0');
    is_short && !number.starts_with('+') && number.parse::<i32>().is_ok_and(|number| number >= 0)
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    /// How deep expressions are nested here, and of that brackets.
    nested: usize,
    brackets: usize,
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
            Token::Name(name) if !is_reserved(name) => {
                self.at += 1;
                Ok(name)
            }
            Token::Name(_) | Token::Number(_) | Token::Sign(_) | Token::End => {
                self.wrong("a name, in backticks if it is a word of the language")
            }
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

    /// A number without a sign.
    fn index(&mut self) -> Result<usize, Refusal> {
        if self.peek() == Token::Sign("-") {
            return self.wrong("a number that is not negative");
        }
        Ok(self.number()?.unsigned_abs() as usize)
    }

    fn item(&mut self) -> Result<(), Refusal> {
        match self.peek() {
            // One name, before everything else.
            Token::Name("program") if self.at == 0 => {
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
            let name = self.thread_name()?;
            if !self.threads.contains_key(&name) {
                return self.wrong("a thread before this");
            }
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
        if array && self.takes(Token::Sign("{")) {
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

    /// The name of a thread, whose copies have a number after a dot. A number is not part of a name in
    /// backticks, so that each name is written in one way.
    fn thread_name(&mut self) -> Result<String, Refusal> {
        let mut name = self.name()?.to_owned();
        if self.peek() == Token::Sign(".")
            && let Some(&Token::Number(number)) = self.tokens.get(self.at + 1)
        {
            if i32::try_from(number).is_err() {
                return self.wrong("a smaller number after this");
            }
            name = format!("{name}.{number}");
            self.at += 2;
        } else if ends_in_number(&name) {
            return self.wrong("the number of a copy outside backticks before this");
        }
        Ok(name)
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
