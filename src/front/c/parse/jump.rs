//! Labels, cases and jumps.

use super::Parser;
use super::cleanup::Leaves;
use crate::c::check::{Checked, Wanted, wrapped};
use crate::c::token::TokenKind;
use crate::lower::typed::{Stmt, StmtKind};
use crate::text::{Diagnostic, Place};

/// A `case` with a range of values has at most this many.
const MOST_CASES: i64 = 100;

impl Parser<'_> {
    /// `name:`
    pub(super) fn is_label(&self) -> bool {
        let keyword = |word: &str| matches!(word, "case" | "default");
        self.word().is_some_and(|word| !keyword(word)) && self.is_after(1, ":")
    }

    pub(super) fn labelled(&mut self) -> Checked<Stmt> {
        let start = self.at;
        let place = self.place();
        let name = self.word().unwrap_or_default().to_owned();
        self.at += 2;
        self.attributes()?;
        let known = self.check.body.as_mut();
        let before = known.and_then(|body| body.labels.insert(name.clone(), place));
        if let Some(first) = before {
            let message = format!("the label `{name}` is there twice");
            let error = Diagnostic::error(message, self.check.span(place))
                .other(self.check.span(first), "first here");
            self.check.report(error);
        }
        let statement = self.after_label()?;
        Ok(self.made(StmtKind::Label(name, Box::new(statement)), start))
    }

    /// `case value:` or `default:`
    pub(super) fn case(&mut self) -> Checked<Stmt> {
        let start = self.at;
        let place = self.place();
        let inside = self
            .check
            .body
            .as_ref()
            .is_some_and(|body| !body.switches.is_empty());
        if !inside {
            return Err(self
                .check
                .error("this label is outside of every `switch`", place));
        }
        if self.eat_word("default") {
            self.expect(":")?;
            let switch = self
                .check
                .body
                .as_mut()
                .and_then(|body| body.switches.last_mut());
            let first = switch.and_then(|(_, _, default)| default.replace(place));
            if let Some(first) = first {
                self.twice("`default`", place, first);
            }
            let statement = self.after_label()?;
            return Ok(self.made(StmtKind::Default(Box::new(statement)), start));
        }
        self.at += 1;
        let low = self.case_value()?;
        let high = if self.eat("...") {
            self.case_value()?
        } else {
            low
        };
        self.expect(":")?;
        let place = self.since(start);
        if high < low || high.saturating_sub(low) >= MOST_CASES {
            let message = format!("a range of cases has between 1 and {MOST_CASES} values");
            return Err(self.check.error(message, place));
        }
        for value in low..=high {
            let switch = self
                .check
                .body
                .as_mut()
                .and_then(|body| body.switches.last_mut());
            let first = switch.and_then(|(_, cases, _)| cases.insert(value, place));
            if let Some(first) = first {
                self.twice(&format!("`case {value}`"), place, first);
            }
        }
        let mut statement = self.after_label()?;
        let whole = self.since(start);
        for value in low..=high {
            let kind = StmtKind::Case(value, Box::new(statement));
            statement = Stmt { kind, place: whole };
        }
        Ok(statement)
    }

    fn twice(&mut self, what: &str, place: Place, first: Place) {
        let message = format!("{what} is there twice");
        let error = Diagnostic::error(message, self.check.span(place))
            .other(self.check.span(first), "first here");
        self.check.report(error);
    }

    /// The value of a case in the type of the switch.
    fn case_value(&mut self) -> Checked<i64> {
        let value = self.full_assignment()?;
        let value = self.check.value(value)?;
        let constant = self.check.constant(&value, "the value of a case")?;
        let switch = self
            .check
            .body
            .as_ref()
            .and_then(|body| body.switches.last());
        Ok(switch.map_or(constant, |(ty, ..)| wrapped(constant, ty)))
    }

    pub(super) fn jump(&mut self) -> Checked<Stmt> {
        let start = self.at;
        let place = self.place();
        let word = self.word().unwrap_or_default();
        self.at += 1;
        let (loops, breakable) = match &self.check.body {
            Some(body) => (body.loops, body.breakable),
            None => (0, 0),
        };
        let kind = match word {
            "goto" if self.cleanups() > 0 => {
                let message =
                    "a `goto` where a variable has the attribute `cleanup` is not supported";
                let note = "move what is around the jump into a function of its own";
                return Err(self.check.error_with(message, place, note));
            }
            "goto" => self.goto()?,
            "break" if breakable == 0 => {
                let message = "this `break` is outside of every loop and `switch`";
                return Err(self.check.error(message, place));
            }
            "break" => {
                let calls = self.calls_before(Leaves::Switch);
                self.jump_after(calls, StmtKind::Break, place)
            }
            "continue" if loops == 0 => {
                let message = "this `continue` is outside of every loop";
                return Err(self.check.error(message, place));
            }
            "continue" => {
                let calls = self.calls_before(Leaves::Loop);
                self.jump_after(calls, StmtKind::Continue, place)
            }
            _ => {
                let returned = self.returned(place)?;
                let calls = self.calls_before(Leaves::Function);
                self.jump_after(calls, returned, place)
            }
        };
        self.expect(";")?;
        Ok(self.made(kind, start))
    }

    fn goto(&mut self) -> Checked<StmtKind> {
        if self.is("*") {
            return Err(self.check.error_with(
                "computed `goto` is not supported",
                self.place(),
                "use a `switch` that jumps to the labels",
            ));
        }
        let place = self.place();
        let Some(TokenKind::Word(label)) = self.kind() else {
            return Err(self.unexpected("a label"));
        };
        self.at += 1;
        if let Some(body) = &mut self.check.body {
            body.jumps.push((label.clone(), place));
        }
        Ok(StmtKind::Goto(label.clone()))
    }

    fn returned(&mut self, place: Place) -> Checked<StmtKind> {
        if self.is(";") {
            return Ok(StmtKind::Return(None));
        }
        let returns = self.check.body.as_ref().map(|body| body.returns.clone());
        let value = self.full_expression()?;
        let value = self.check.value(value)?;
        let returns = returns.unwrap_or_else(|| value.ty.clone());
        if returns.is_void() {
            if !value.ty.is_void() {
                let message = "this function returns `void`, and here a value";
                return Err(self.check.error(message, value.place));
            }
            let at = value.place;
            let evaluated = Stmt {
                kind: StmtKind::Expr(value),
                place: at,
            };
            let leave = Stmt {
                kind: StmtKind::Return(None),
                place,
            };
            return Ok(StmtKind::Block(vec![evaluated, leave]));
        }
        let value = self.check.converted(value, &returns, Wanted::Returned)?;
        Ok(StmtKind::Return(Some(value)))
    }
}
