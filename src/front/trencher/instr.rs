//! The parser of a single instruction: its name, its registers, its expressions in prefix notation.

use super::raw::{Instr, MOST_OPERATORS, NOT, Operand, SIGNS};
use super::words::{Word, is_numeric};
use crate::program::{Expr, RegId, UnaryOp};
use crate::text::{Diagnostic, nearest};
use ahash::AHashSet;

/// The instructions and their operands.
const INSTRUCTIONS: [(&str, &str); 8] = [
    ("read", "read REGISTER ADDRESS"),
    ("write", "write VALUE ADDRESS"),
    ("mfence", "mfence"),
    ("local", "local REGISTER VALUE"),
    ("check", "check CONDITION"),
    ("noop", "noop"),
    ("lock", "lock"),
    ("unlock", "unlock"),
];

/// Operators of other languages.
const FOREIGN: [&str; 12] = [
    "/", "%", "|", "^", "~", "<<", ">>", "=", "=<", "=>", "<>", "===",
];

/// Parses the instruction of one transition.
pub(super) struct Reader<'w, 't, R> {
    words: &'w [Word<'t>],
    at: usize,
    /// Where the line ends.
    end: usize,
    /// Names of registers that the thread writes somewhere.
    written: &'w AHashSet<&'t str>,
    register: R,
    operators: usize,
    form: &'static str,
    diagnostics: Vec<Diagnostic>,
}

impl<'w, 't, R: FnMut(&Word<'t>) -> RegId> Reader<'w, 't, R> {
    /// A reader of these words. `register` maps a name to its register.
    pub(super) fn new(
        words: &'w [Word<'t>],
        end: usize,
        written: &'w AHashSet<&'t str>,
        register: R,
    ) -> Self {
        Self {
            words,
            at: 0,
            end,
            written,
            register,
            operators: 0,
            form: "",
            diagnostics: Vec::new(),
        }
    }

    /// The errors.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// The instruction; `None` if it has an error.
    pub(super) fn instruction(&mut self) -> Option<Instr> {
        let Some(word) = self.next() else {
            self.diagnostics.push(
                Diagnostic::error("transition without an instruction", self.end..self.end)
                    .label("expected an instruction here")
                    .note(instructions()),
            );
            return None;
        };
        let known = INSTRUCTIONS.iter().find(|(name, _)| *name == word.text);
        let Some((_, form)) = known else {
            let names = INSTRUCTIONS.iter().map(|(name, _)| *name);
            let near = nearest(word.text, names).or_else(|| native(word.text));
            let label = near.map_or("not an instruction".to_owned(), |near| {
                format!("did you mean `{near}`?")
            });
            self.diagnostics.push(
                Diagnostic::error(
                    format!("unknown instruction `{}`", word.text),
                    word.span.clone(),
                )
                .label(label)
                .note(instructions()),
            );
            return None;
        };
        self.form = form;
        let instr = match word.text {
            "read" => Instr::Read {
                into: self.target()?,
                addr: self.operand("address")?,
            },
            "write" => Instr::Write {
                value: self.operand("value")?,
                addr: self.operand("address")?,
            },
            "local" => Instr::Local {
                into: self.target()?,
                value: self.operand("value")?,
            },
            "check" => Instr::Check(self.operand("condition")?),
            "mfence" => Instr::Mfence,
            "lock" => Instr::Lock,
            "unlock" => Instr::Unlock,
            _ => Instr::Noop,
        };
        if let Some(stray) = self.words.get(self.at) {
            let last = &self.words[self.words.len() - 1];
            let operators = "expressions are in prefix notation, as in `+ r 1`";
            let comment = "a comment needs its own line, between threads";
            let note = if stray.text.starts_with('#') {
                comment
            } else {
                operators
            };
            self.diagnostics.push(
                Diagnostic::error(
                    format!("unexpected `{}` after the instruction", stray.text),
                    stray.span.start..last.span.end,
                )
                .label(format!("`{form}` ends before this"))
                .note(note),
            );
            return None;
        }
        Some(instr)
    }

    fn next(&mut self) -> Option<&'w Word<'t>> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn missing(&mut self, what: &str) {
        self.diagnostics.push(
            Diagnostic::error(
                format!("expected the {what}, found the end of the line"),
                self.end..self.end,
            )
            .label(format!("expected `{}`", self.form))
            .note(
                "expressions are in prefix notation: `!` has one operand, every other operator two",
            ),
        );
    }

    /// A register that is written.
    fn target(&mut self) -> Option<RegId> {
        let Some(word) = self.next() else {
            self.missing("register");
            return None;
        };
        let what = if is_numeric(word.text) {
            "a number"
        } else if word.text == NOT || SIGNS.iter().any(|(sign, _)| *sign == word.text) {
            "an operator"
        } else {
            return Some((self.register)(word));
        };
        self.diagnostics.push(
            Diagnostic::error(
                format!("`{}` is {what}, not a register", word.text),
                word.span.clone(),
            )
            .label(format!("expected `{}`", self.form)),
        );
        None
    }

    fn operand(&mut self, what: &str) -> Option<Operand> {
        self.operators = 0;
        let start = self.words.get(self.at).map_or(self.end, |w| w.span.start);
        let e = self.expression(what)?;
        let end = self.words[self.at - 1].span.end;
        Some(Operand {
            e,
            span: start..end,
        })
    }

    /// An expression. Recursive; the depth is bounded by the number of operators allowed.
    fn expression(&mut self, what: &str) -> Option<Expr<RegId>> {
        let Some(word) = self.next() else {
            self.missing(what);
            return None;
        };
        let binary = SIGNS.iter().find(|(sign, _)| *sign == word.text);
        if word.text == NOT || binary.is_some() {
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                self.diagnostics.push(
                    Diagnostic::error(
                        format!("this expression has more than {MOST_OPERATORS} operators"),
                        word.span.clone(),
                    )
                    .label("limit exceeded here")
                    .note("store a part of it in a register with `local`"),
                );
                return None;
            }
            let a = self.expression("operand")?;
            return Some(match binary {
                None => Expr::unary(UnaryOp::Not, a),
                Some((_, op)) => Expr::binary(*op, a, self.expression("operand")?),
            });
        }
        if is_numeric(word.text) {
            return self.number(word);
        }
        if FOREIGN.contains(&word.text) && !self.written.contains(word.text) {
            let signs: Vec<&str> = SIGNS.iter().map(|(sign, _)| *sign).collect();
            self.diagnostics.push(
                Diagnostic::error(
                    format!("unknown operator `{}`", word.text),
                    word.span.clone(),
                )
                .label("neither an operator nor a register that the thread writes")
                .note(format!("the operators are ! {}", signs.join(" "))),
            );
            return None;
        }
        Some(Expr::Var((self.register)(word)))
    }

    fn number(&mut self, word: &Word<'t>) -> Option<Expr<RegId>> {
        if let Ok(value) = word.text.parse::<i32>() {
            return Some(Expr::Const(value));
        }
        let digits = word.text.trim_start_matches(['-', '+']);
        let diagnostic = if digits.bytes().all(|b| b.is_ascii_digit()) {
            Diagnostic::error(
                format!("`{}` does not fit in 32 bits", word.text),
                word.span.clone(),
            )
            .label(format!(
                "expected a value between {} and {}",
                i32::MIN,
                i32::MAX
            ))
        } else {
            Diagnostic::error(
                format!("`{}` is not a number", word.text),
                word.span.clone(),
            )
            .label("a word that begins with a digit must be a number")
            .note("the name of a register in an expression cannot begin like a number")
        };
        self.diagnostics.push(diagnostic);
        None
    }
}

/// The keyword of this format for a word of the Fencepost language or of the papers.
fn native(word: &str) -> Option<&'static str> {
    match word {
        "load" => Some("read"),
        "store" => Some("write"),
        "fence" => Some("mfence"),
        "assert" | "assume" => Some("check"),
        "skip" | "nop" => Some("noop"),
        "assign" => Some("local"),
        _ => None,
    }
}

fn instructions() -> String {
    let forms: Vec<&str> = INSTRUCTIONS.iter().map(|(_, form)| *form).collect();
    format!("the instructions are {}", forms.join(", "))
}
