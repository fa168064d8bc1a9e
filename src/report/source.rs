//! The source text of a program, and references into it.

mod about;

use super::code;
use super::writer::Sentence;
use crate::check::Vacuity;
use crate::fences::has_goals;
use crate::formats::{AssumedEdition, Format, LeftOut};
use crate::program::{
    Fault, Goal, LocId, Observable, Op, Origin, Program, PropertyKind, Role, Site, ThreadId,
};
use crate::races::RaceWarning;
use crate::verdict::Reason;
use crate::visible::visible_line;
use std::borrow::Cow;

/// The maximum length of a quoted statement, in characters.
const LONGEST_QUOTE: usize = 60;

/// A program with the text and the name of the file that it was read from.
///
/// Answers quote the text if there is one; otherwise they show instructions in the automaton form:
///
/// ```
/// use fencepost::{Budget, CheckOptions, Model, Source, check, parse};
///
/// let text = "shared x; thread t0 { x = 1; } thread t1 { local r; r = x; assert(r == 0); }";
/// let program = parse(text).into_program()?;
/// let report = check(&program, &CheckOptions::new(Model::Sc), &Budget::default())?;
/// let quoting = Source::of(&program).text(text).show(&report).to_string();
/// assert!(quoting.contains("r = x"));
/// let not_quoting = Source::of(&program).show(&report).to_string();
/// assert!(not_quoting.contains("r <- mem[x]"));
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name, as the user gave it.
    pub(crate) file: &'a str,
    /// The arguments by which the command line reads the program.
    pub(crate) arguments: &'a str,
    /// The whole text; empty if the program was made without one.
    pub(crate) text: &'a str,
    /// The format of the text.
    pub(crate) format: Format,
    /// The parsed program.
    pub(crate) program: &'a Program,
    /// The data races of the text: then a verdict says nothing about compiled code.
    pub(crate) races: &'a [RaceWarning],
    /// The edition of Rust, if the verdict depends on it and the text does not state it.
    pub(crate) assumed_edition: Option<AssumedEdition>,
    /// The executions of the text that the program lacks.
    pub(crate) left_out: &'a [LeftOut],
}

impl<'a> From<&'a Program> for Source<'a> {
    fn from(program: &'a Program) -> Self {
        Self::of(program)
    }
}

impl<'a> Source<'a> {
    /// A program without its text.
    pub fn of(program: &'a Program) -> Self {
        Self {
            file: "",
            arguments: "",
            text: "",
            format: Format::default(),
            program,
            races: &[],
            assumed_edition: None,
            left_out: &[],
        }
    }

    /// With this program instead, if there is one: its threads have the same text, as those of an instance have.
    #[must_use]
    pub(super) fn instance(self, instance: Option<&'a Program>) -> Self {
        Self {
            program: instance.unwrap_or(self.program),
            ..self
        }
    }

    /// With the text that the program was parsed from.
    #[must_use]
    pub fn text(self, text: &'a str) -> Self {
        Self { text, ..self }
    }

    /// With the format of the text.
    #[must_use]
    pub fn format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The source line of an origin, trimmed.
    pub(crate) fn line(&self, origin: Origin) -> Option<&'a str> {
        self.line_text(origin).map(str::trim)
    }

    fn line_text(&self, origin: Origin) -> Option<&'a str> {
        if origin.line == 0 {
            return None;
        }
        // Where a text consists of several files, lines are numbered in each.
        let before = self.text.get(..origin.start as usize)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        self.text[start..].lines().next()
    }

    /// `line 9`, or `line 9 of queue.h` if that is not the file that was given.
    pub(crate) fn line_words(&self, origin: Origin) -> String {
        self.program.line_words(origin)
    }

    /// The source text at this origin: the whole line if it is short and contains one statement,
    /// otherwise the part that the origin spans. Comments are omitted.
    pub(crate) fn quote(&self, origin: Origin) -> Option<String> {
        let line = without_comment(self.line(origin)?);
        let spanned = self
            .text
            .get(origin.start as usize..origin.end as usize)
            .and_then(|part| part.lines().next())
            .map(|part| without_comment(part.trim()))
            .filter(|part| !part.is_empty());
        let before: String = match self.line_text(origin) {
            Some(whole) => whole
                .chars()
                .take(origin.column.saturating_sub(1) as usize)
                .collect(),
            None => String::new(),
        };
        // A row of assembly contains one statement per thread.
        let row = self.format == Format::Litmus;
        let alone = line.matches(';').count() <= 1 && !before.contains('{') && !row;
        let chosen = match spanned {
            Some(part) if !alone || line.chars().count() > LONGEST_QUOTE => part,
            Some(_) | None => line,
        };
        (!chosen.is_empty()).then(|| shortened(&collapsed(chosen)))
    }

    /// The source statement of an instruction or, without source text, the instruction in the
    /// automaton form.
    pub(crate) fn statement(&self, site: Site) -> String {
        let instruction = self.program.instruction(site);
        let thread = self.thread(site.thread);
        match instruction.role {
            Role::Start => return format!("start of {thread}"),
            Role::End => return format!("end of {thread}"),
            Role::Written | Role::Unlock | Role::Inside => {}
        }
        let quoted = self.quote(instruction.origin);
        // What a header of ours does is in no file of the user's.
        if let Some(header) = quoted
            .as_deref()
            .and_then(|text| text.strip_prefix("#include"))
        {
            return format!("code of {}", header.trim());
        }
        quoted.unwrap_or_else(|| code::instruction(self.program, site))
    }

    /// The macro in whose definition an instruction of a program in C is.
    pub(crate) fn macro_around(&self, site: Site) -> Option<&'a str> {
        let instruction = self.program.instruction(site);
        if instruction.role != Role::Inside || self.format != Format::C {
            return None;
        }
        let before = self.text.get(..instruction.origin.start as usize)?;
        let mut start = 0;
        for (at, _) in before.match_indices('\n') {
            if !before[..at].trim_end_matches('\r').ends_with('\\') {
                start = at + 1;
            }
        }
        let directive = before[start..].trim_start().strip_prefix('#')?;
        let defined = directive.trim_start().strip_prefix("define")?.trim_start();
        let length = defined.find(|c: char| !c.is_alphanumeric() && c != '_');
        Some(&defined[..length.unwrap_or(defined.len())])
    }

    /// The calls through which control gets to an instruction, as a phrase that ends with a colon:
    /// `in push(), called at line 40 in main_loop(), called at line 7:`. Empty in the thread's own text.
    pub(super) fn calls(&self, site: Site) -> String {
        let calls = self.program.calls(site);
        if calls.is_empty() {
            return String::new();
        }
        let words = calls.iter().map(|call| {
            let file = self.program.short_file(call.origin).map(visible_line);
            let file = file.map_or_else(String::new, |file| format!(" of {file}"));
            let name = visible_line(&call.procedure);
            format!("in {name}(), called at line {}{file}", call.origin.line)
        });
        format!("{}:", words.collect::<Vec<_>>().join(" "))
    }

    /// The calls through which control gets to an instruction, the innermost first, if the thread gets
    /// to its line through other calls, too.
    pub(crate) fn callers(&self, site: Site) -> Vec<Caller<'a>> {
        let program = self.program;
        let callers = |site: Site| -> Vec<Caller<'a>> {
            let calls = program.calls(site).into_iter();
            calls
                .map(|call| Caller {
                    line: call.origin.line,
                    file: program.file(call.origin),
                    short_file: program.short_file(call.origin),
                })
                .collect()
        };
        let own = callers(site);
        let thread = program.thread(site.thread);
        let this = thread.instruction(site.instr);
        let mut others = program.on_line_of(site).into_iter();
        let ambiguous = others.any(|instr| {
            let other = Site { instr, ..site };
            thread.instruction(instr).call != this.call && callers(other) != own
        });
        if ambiguous { own } else { Vec::new() }
    }

    /// The dead instructions to list. In C these are statements: one that is partly executed, or only
    /// belongs to the end of a thread, is not among them.
    pub(super) fn unreachable(&self, vacuity: &Vacuity) -> Vec<Site> {
        let listed = vacuity.never_executed.iter().copied();
        if !matches!(self.format, Format::C | Format::Rust) {
            return listed.collect();
        }
        let is_statement = |site: &Site| {
            let is_dead = |instr| vacuity.is_dead(self.program, Site { instr, ..*site });
            self.program.instruction(*site).role == Role::Written
                && self.program.on_line_of(*site).into_iter().all(is_dead)
        };
        listed.filter(is_statement).collect()
    }

    /// `line 9` or, without source text, the control location.
    pub(crate) fn place(&self, site: Site) -> String {
        let instruction = self.program.instruction(site);
        if instruction.origin.line == 0 {
            let thread = self.program.thread(site.thread);
            format!("at {}", thread.location(instruction.from).name)
        } else {
            self.line_words(instruction.origin)
        }
    }

    /// The places of fences before all instructions that leave these locations, in the format's own
    /// notation. `None` if the format has none; threads and lines are shown instead.
    pub(crate) fn fence_places(&self, points: &[(ThreadId, LocId)]) -> Option<String> {
        match self.format {
            Format::Fence | Format::Litmus | Format::LitmusC | Format::C | Format::Rust => None,
            Format::Trencher => {
                let places = points.iter().map(|(id, loc)| {
                    let thread = self.program.thread(*id);
                    let name = thread.location(*loc).name.as_str();
                    match self.edge(*id, *loc) {
                        Some((from, to)) => format!("({},{from} {to})", thread.name()),
                        None => format!("({},{name})", thread.name()),
                    }
                });
                Some(places.collect::<Vec<_>>().join(" "))
            }
        }
    }

    /// The labels at both ends of an edge of an automaton, if this location is the position at the end
    /// of that edge: where the text has the edge's target.
    pub(crate) fn edge(&self, thread: ThreadId, loc: LocId) -> Option<(&'a str, &'a str)> {
        let automaton = self.program.thread(thread);
        let [leaving] = automaton.outgoing(loc) else {
            return None;
        };
        let leaving = automaton.instruction(*leaving);
        let target = automaton.location(leaving.to).name.as_str();
        let span = leaving.origin.start as usize..leaving.origin.end as usize;
        let written = self.text.get(span)?.split_whitespace().last()?;
        let written = written.trim_matches('`');
        let mut arriving = automaton.instructions().iter().filter(|i| i.to == loc);
        let arriving = arriving.next()?;
        let before = automaton.location(arriving.from).name.as_str();
        let ends = leaving.op == Op::Skip && !automaton.location(loc).labelled;
        (ends && written == target).then_some((before, target))
    }

    /// A sentence that the program has no property that fences could preserve; `None` if it has one.
    pub(super) fn nothing_to_keep(&self) -> Option<Sentence> {
        let why = if has_goals(self.program) {
            return None;
        } else if self.program.properties().is_empty() {
            ": the program has none."
        } else {
            ": an `exists` is only observed. To forbid a state, write `~exists` in a litmus test, \
             and `forbid` otherwise."
        };
        Some(Sentence::new("There is no property to keep", why))
    }

    /// Why there is no answer, with the source statement where one is at fault.
    pub(crate) fn why(&self, reason: &Reason) -> String {
        match reason {
            Reason::Overflow(origin) => match self.quote(*origin) {
                Some(quoted) => {
                    let (line, what) = (self.line_words(*origin), self.limit_reached(*origin));
                    format!("`{quoted}` ({line}) {what}")
                }
                None => reason.to_string(),
            },
            Reason::Stopped
            | Reason::Time(_)
            | Reason::Interrupted
            | Reason::Memory(_)
            | Reason::StateBudget(_)
            | Reason::Decided(_)
            | Reason::Copies(_)
            | Reason::Unsupported(_) => reason.to_string(),
        }
    }

    /// What an execution does that reaches the limit at this place.
    fn limit_reached(&self, origin: Origin) -> Cow<'static, str> {
        let limits = self.program.limits().iter();
        let mut here = limits.filter(|&&site| self.program.instruction(site).origin == origin);
        let fault = here.find_map(|&site| self.program.fault(site));
        fault.map_or(
            Cow::Borrowed("leaves 32 bits in this execution"),
            Fault::predicate,
        )
    }

    /// The source position of a goal.
    pub(crate) fn goal_origin(&self, goal: Goal) -> Origin {
        match goal {
            Goal::Assert(site) | Goal::Outside(site) => self.program.instruction(site).origin,
            Goal::Property(index) => self.program.properties()[index].origin,
        }
    }

    /// The statement or the property of a goal.
    pub(super) fn goal_text(&self, goal: Goal) -> String {
        match goal {
            Goal::Assert(site) | Goal::Outside(site) => self.statement(site),
            Goal::Property(index) => self
                .quote(self.goal_origin(goal))
                .unwrap_or_else(|| self.property(index)),
        }
    }

    /// The name of a thread.
    pub(crate) fn thread(&self, thread: ThreadId) -> &'a str {
        self.program.thread(thread).name()
    }

    /// What reaching a goal means, as a clause: `` `forbid x == 1;` (line 3) is reached ``.
    pub(crate) fn goal_reached(&self, goal: Goal) -> String {
        let origin = self.goal_origin(goal);
        let callers = match goal {
            Goal::Assert(site) | Goal::Outside(site) => called_at(&self.callers(site)),
            Goal::Property(_) => String::new(),
        };
        let at = if origin.line == 0 {
            String::new()
        } else {
            format!(" ({}{callers})", self.line_words(origin))
        };
        match goal {
            Goal::Assert(site) if self.program.instruction(site).role == Role::Unlock => format!(
                "{} releases a lock that it does not hold in `{}`{at}",
                self.thread(site.thread),
                self.statement(site),
            ),
            Goal::Assert(site) => format!(
                "{} {} `{}`{at}{}",
                self.thread(site.thread),
                self.program
                    .fault(site)
                    .map_or(Cow::Borrowed("fails"), Fault::predicate),
                self.statement(site),
                self.program
                    .reason(site)
                    .map_or_else(String::new, |reason| format!(": {reason}")),
            ),
            Goal::Outside(site) => {
                let what = if matches!(self.format, Format::C | Format::Rust) {
                    "follows a null or stray pointer in"
                } else {
                    "accesses memory outside every shared cell in"
                };
                format!(
                    "{} {what} `{}`{at}",
                    self.thread(site.thread),
                    self.statement(site),
                )
            }
            Goal::Property(index) => {
                let quoted = self.goal_text(goal);
                match self.program.properties()[index].kind {
                    PropertyKind::Forbid => format!("`{quoted}`{at} is reached"),
                    PropertyKind::FinalAssert => format!("`{quoted}`{at} fails"),
                    PropertyKind::Exists => format!("`{quoted}`{at} is observed"),
                    PropertyKind::Stuck => {
                        format!("every thread that has not ended waits forever: `{quoted}`{at}")
                    }
                    PropertyKind::Starved(thread) => {
                        let name = self.thread(thread);
                        format!("{name} waits forever, whatever the others do: `{quoted}`{at}")
                    }
                }
            }
        }
    }

    /// A property as text in the native language.
    pub(crate) fn property(&self, index: usize) -> String {
        let property = &self.program.properties()[index];
        let keyword = property.kind.keyword();
        match property.kind {
            PropertyKind::Forbid | PropertyKind::FinalAssert | PropertyKind::Exists => {}
            // Front ends add to what the user asks for when a run of the program is over.
            PropertyKind::Stuck => return format!("{keyword};"),
            PropertyKind::Starved(thread) => {
                return format!("{keyword} {};", self.thread(thread));
            }
        }
        let predicate = code::expression(&property.predicate, &|observable: &Observable| {
            self.observable(*observable)
        });
        format!("{keyword} {predicate};")
    }

    /// An observable in the notation of properties: `t0.r`, `t0@critical`, `x`.
    pub(crate) fn observable(&self, observable: Observable) -> String {
        match observable {
            Observable::Register(thread, reg) => {
                let thread = self.program.thread(thread);
                format!("{}.{}", thread.name(), thread.registers()[reg.index()].name)
            }
            Observable::At(thread, loc) => {
                let thread = self.program.thread(thread);
                format!("{}@{}", thread.name(), thread.location(loc).name)
            }
            Observable::Cell(addr) => self.program.cell_name(addr),
        }
    }

    /// Whether a step of this instruction is worth a row where only evidence is shown: it touches
    /// memory, orders accesses, chooses a value or states a property of the user's.
    pub(crate) fn is_relevant(&self, site: Site) -> bool {
        let op = &self.program.instruction(site).op;
        !matches!(op, Op::Skip | Op::Assign { .. } | Op::Assume(_))
            && self.program.fault(site).is_none()
    }
}

/// A call through which control gets to an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Caller<'a> {
    /// The line of the call.
    pub line: u32,
    /// The file of that line, if it is not the one that the program was read from.
    pub file: Option<&'a str>,
    /// The same without folders, if that is enough to know the file.
    pub(super) short_file: Option<&'a str>,
}

/// `, called at line 40`, for each of these calls.
pub(super) fn called_at(callers: &[Caller<'_>]) -> String {
    let calls = callers.iter().map(|caller| {
        let file = caller.short_file.map(visible_line);
        let file = file.map_or_else(String::new, |file| format!(" of {file}"));
        format!(", called at line {}{file}", caller.line)
    });
    calls.collect()
}

fn without_comment(line: &str) -> &str {
    line.split_once("//")
        .map_or(line, |(code, _)| code)
        .trim_end()
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_QUOTE {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST_QUOTE - 1).collect();
    short.push('…');
    short
}
