//! Random programs in Rust whose modules, in files or written out, define macros and call those of others, also of another
//! crate.
//!
//! A tape of numbers draws a module `pN` with modules in it, and a module `qN` of the other crate. Many macros have the same
//! name, `k`, so that the scope decides which one a call stands for: a program calls it only where one is in scope, and what
//! it stands for is known from the compiled program. Others are exported, and called by paths and imports.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How a module is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Inline,
    File,
    Folder,
}

enum Element {
    /// `k` is defined, in one of several ways.
    Define(u8, u32),
    /// A macro that other modules name by a path.
    Export(String, u8, u32),
    Module(String, bool, Way, Vec<Element>),
    /// A function that calls macros.
    Function(Vec<(u8, u8)>),
    /// A module that is made by a macro, which calls `k` where that is in scope.
    Made(u32),
}

struct Draw<'t> {
    tape: std::slice::Iter<'t, u8>,
    number: usize,
    exported: Vec<String>,
    next: u32,
}

impl Draw<'_> {
    fn byte(&mut self) -> u8 {
        self.tape.next().copied().unwrap_or_default()
    }

    fn value(&mut self) -> u32 {
        self.next += 1;
        self.next * 7
    }

    fn elements(&mut self, depth: usize) -> Vec<Element> {
        let count = 1 + self.byte() % 8;
        (0..count).map(|_| self.element(depth)).collect()
    }

    fn element(&mut self, depth: usize) -> Element {
        let what = self.byte() % 10;
        match what {
            0..=2 => Element::Define(self.byte() % 5, self.value()),
            3 => {
                let name = format!("x{}_{}", self.number, self.exported.len());
                self.exported.push(name.clone());
                Element::Export(name, self.byte() % 4, self.value())
            }
            4..=6 if depth < 3 => {
                let name = format!("m{}", self.value());
                let about = self.byte();
                let ways = [Way::Inline, Way::File, Way::Folder];
                let way = ways[usize::from(about / 2) % 3];
                let elements = self.elements(depth + 1);
                Element::Module(name, about.is_multiple_of(2), way, elements)
            }
            7 => Element::Made(self.value()),
            _ => {
                let count = self.byte() % 3;
                let calls = (0..count).map(|_| (self.byte(), self.byte()));
                Element::Function(calls.collect())
            }
        }
    }
}

/// The files of a crate by their paths.
pub type Files = BTreeMap<String, String>;

/// A program: what it is in one text, and in files.
#[derive(Debug)]
pub struct Program {
    /// What the module has whose name begins with `p`.
    pub whole: String,
    /// The same in files, in the folder of the module; its own text has no name.
    pub files: Files,
    /// What the module of the other crate has.
    pub other: String,
}

/// The `number`th program that a tape draws.
pub fn program(tape: &[u8], number: usize) -> Program {
    let mut draw = Draw {
        tape: tape.iter(),
        number,
        exported: Vec::new(),
        next: 0,
    };
    let elements = draw.elements(0);
    let mut writer = Writer {
        exported: draw.exported,
        number,
        next: 0,
        files: Files::new(),
        splits: false,
    };
    let top = |writer: &mut Writer| {
        let mut text = format!("pub const C: u32 = {};\n", number + 3);
        writer.next = 0;
        let sum = writer.elements(&elements, "", Scope::default(), &mut text);
        let _ = writeln!(text, "pub fn value() -> u32 {{ 0{sum} }}");
        text
    };
    let whole = top(&mut writer);
    writer.splits = true;
    let own = top(&mut writer);
    let mut files = writer.files;
    files.insert(String::new(), own);
    let other = format!(
        "pub const C: u32 = {};\npub fn f(x: u32) -> u32 {{ x.wrapping_mul(5) }}\n\
         #[macro_export] macro_rules! o{number} {{ ($e:expr) => {{ $crate::q{number}::f($e) + $crate::q{number}::C }}; }}\n\
         #[macro_export] macro_rules! twice{number} {{ ($e:expr) => {{{{ let x = $e; x + $crate::o{number}!(x) }}}}; }}\n\
         #[macro_export] macro_rules! item{number} {{ ($n:ident, $v:expr) => {{ pub fn $n() -> u32 {{ use $crate::q{number} as near; \
         near::f($v) }} }}; }}\n\
         #[macro_export] macro_rules! sum{number} {{ ($($e:expr),* $(,)?) => {{ 0u32 $(+ 2 * $crate::q{number}::f($e))* }}; }}\n\
         macro_rules! k {{ () => {{ 1000 }} }}\npub fn own() -> u32 {{ k!() }}\n",
        number + 11
    );
    Program {
        whole,
        files,
        other,
    }
}

struct Writer {
    exported: Vec<String>,
    number: usize,
    next: usize,
    files: Files,
    /// Whether modules are in files.
    splits: bool,
}

/// Whether `k` and `made` are in scope.
#[derive(Clone, Copy, Default)]
struct Scope {
    k: bool,
}

impl Writer {
    /// Writes elements of a module whose files are in a folder; returns the calls of what counts, as a sum.
    fn elements(
        &mut self,
        elements: &[Element],
        folder: &str,
        scope: Scope,
        text: &mut String,
    ) -> String {
        let (sum, _) = self.inside(elements, folder, scope, text);
        sum
    }

    fn inside(
        &mut self,
        elements: &[Element],
        folder: &str,
        mut scope: Scope,
        text: &mut String,
    ) -> (String, Scope) {
        let mut sum = String::new();
        let number = self.number;
        for element in elements {
            match element {
                Element::Define(way, value) => {
                    // Two of them would be ambiguous, if one is made by a macro.
                    let way = if *way == 2 && scope.k { &0 } else { way };
                    let definition = match way {
                        0 => format!("macro_rules! k {{ () => {{ {value}u32 }} }}"),
                        1 => format!(
                            "macro_rules! k {{ () => {{{{ let a = {value}u32; a ^ 1 }}}} }}"
                        ),
                        2 => format!(
                            "macro_rules! define {{ ($v:expr) => {{ macro_rules! k {{ () => {{ $v + 1 }} }} }} }}\n\
                             define!({value}u32);"
                        ),
                        // What a name stands for is decided where the macro is called.
                        3 => format!(
                            "macro_rules! k {{ () => {{ k!(@ 2) }}; (@ $e:expr) => {{ {value}u32 * $e }} }}"
                        ),
                        _ => format!(
                            "#[macro_use]\nmod inner{value} {{ macro_rules! k {{ () => {{ {value}u32 - 1 }} }} }}"
                        ),
                    };
                    let _ = writeln!(text, "{definition}");
                    scope.k = true;
                }
                Element::Export(name, way, value) => {
                    let body = match way {
                        0 => format!("() => {{ $crate::p{number}::C + {value} }}"),
                        1 => format!(
                            "() => {{{{ use $crate::p{number} as top; top::C * {value} }}}}"
                        ),
                        2 => format!("() => {{ dep::o{number}!({value}u32) }}"),
                        _ => format!(
                            "() => {{ $crate::p{number}::C ^ dep::twice{number}!({value}u32) }}"
                        ),
                    };
                    let _ = writeln!(text, "#[macro_export]\nmacro_rules! {name} {{ {body} }}");
                }
                Element::Module(name, keeps, way, elements) => {
                    let way = if self.splits { *way } else { Way::Inline };
                    let mut body = String::new();
                    let inner = format!("{folder}{name}/");
                    let (own, after) = self.inside(elements, &inner, scope, &mut body);
                    let _ = writeln!(body, "pub fn value() -> u32 {{ 0{own} }}");
                    let attribute = if *keeps { "#[macro_use]\n" } else { "" };
                    match way {
                        Way::Inline => {
                            let _ = writeln!(text, "{attribute}pub mod {name} {{\n{body}}}");
                        }
                        Way::File | Way::Folder => {
                            let end = if way == Way::File { ".rs" } else { "/mod.rs" };
                            self.files.insert(format!("{folder}{name}{end}"), body);
                            let _ = writeln!(text, "{attribute}pub mod {name};");
                        }
                    }
                    if *keeps {
                        scope = after;
                    }
                    let _ = write!(sum, " + {name}::value()");
                }
                Element::Function(calls) => {
                    self.next += 1;
                    let name = format!("f{}", self.next);
                    let calls: Vec<String> =
                        calls.iter().map(|call| self.call(*call, scope)).collect();
                    let _ = writeln!(
                        text,
                        "pub fn {name}() -> u32 {{ let a = 2u32; 0u32{} + a }}",
                        calls.concat()
                    );
                    let _ = write!(sum, " + {name}()");
                }
                Element::Made(value) => {
                    let call = if scope.k { "k!()" } else { "9" };
                    let _ = writeln!(
                        text,
                        "macro_rules! made {{ ($n:ident, $v:expr) => {{ pub mod $n {{ pub static S: u32 = $v; pub struct T; \
                         impl T {{ pub fn g(&self) -> u32 {{ S + {call} }} }} }} }} }}\n\
                         made!(y{value}, {value}); dep::item{number}!(z{value}, {value});"
                    );
                    let _ = write!(sum, " + y{value}::T.g() + z{value}()");
                }
            }
        }
        (sum, scope)
    }

    fn call(&self, (what, which): (u8, u8), scope: Scope) -> String {
        let number = self.number;
        let count = self.exported.len().max(1);
        let exported = self.exported.get(usize::from(which) % count);
        match (what % 8, exported) {
            (0 | 1, _) if scope.k => " + k!()".to_owned(),
            (2, Some(name)) => format!(" + crate::{name}!()"),
            (3, Some(name)) => format!(" + {{ use crate::{name} as other; other!() }}"),
            (4, _) => format!(" + {{ use dep::twice{number}; twice{number}!(a + {which}) }}"),
            (5, _) => format!(
                " + {{ use dep::q{number}::{{own, f as g}}; own() + dep::o{number}!(g(a)) }}"
            ),
            // The macro's `x` is another one.
            (6, _) => format!(" + {{ let x = {which}u32; dep::twice{number}!(x + 1) * x }}"),
            (7, _) => {
                let list: Vec<String> = (0..which % 6).map(|of| format!("a * {of} + 1")).collect();
                format!(" + dep::sum{number}!({}) * 3", list.join(", "))
            }
            _ => format!(" + {which}"),
        }
    }
}
