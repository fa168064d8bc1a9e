//! Random texts in the structured form, in pieces: statements, and the positions between them where a
//! fence or another statement can be inserted.

use proptest::prelude::*;

/// The annotation before a statement.
#[derive(Clone, Copy, Debug)]
pub enum Annotation {
    None,
    Cost(u64),
    NoFence,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Store(usize, i32),
    Load(usize),
    Skip,
    If(i32, Vec<Line>),
    IfElse(i32, Vec<Line>, Vec<Line>),
    Choose(Vec<Line>, Vec<Line>),
    While(i32, Vec<Line>),
    WhileCell(usize, i32),
    DoWhile(Vec<Line>, i32),
    Loop(Vec<Line>, i32),
}

pub type Line = (Annotation, Stmt);

const CELLS: [&str; 3] = ["x", "y", "z"];

pub fn plain() -> BoxedStrategy<Stmt> {
    prop_oneof![
        4 => (0..3usize, 1..3).prop_map(|(x, v)| Stmt::Store(x, v)),
        4 => (0..3usize).prop_map(Stmt::Load),
        1 => Just(Stmt::Skip),
        1 => (0..3usize, 0..2).prop_map(|(x, v)| Stmt::WhileCell(x, v)),
    ]
    .boxed()
}

pub fn annotated(stmt: impl Strategy<Value = Stmt> + 'static) -> BoxedStrategy<Line> {
    let annotation = prop_oneof![
        6 => Just(Annotation::None),
        1 => (1..6u64).prop_map(Annotation::Cost),
        1 => Just(Annotation::NoFence),
    ];
    (annotation, stmt).boxed()
}

pub fn lines() -> BoxedStrategy<Vec<Line>> {
    let inner = || prop::collection::vec(annotated(plain()), 0..3);
    let nested = move || {
        let within = prop_oneof![
            3 => plain(),
            1 => (0..2, inner()).prop_map(|(v, body)| Stmt::While(v, body)),
            1 => (inner(), 0..2).prop_map(|(body, v)| Stmt::DoWhile(body, v)),
        ];
        prop::collection::vec(annotated(within), 0..3)
    };
    let stmt = prop_oneof![
        6 => plain(),
        1 => (0..2, nested()).prop_map(|(v, body)| Stmt::If(v, body)),
        1 => (0..2, nested(), nested()).prop_map(|(v, a, b)| Stmt::IfElse(v, a, b)),
        1 => (nested(), nested()).prop_map(|(a, b)| Stmt::Choose(a, b)),
        1 => (0..2, nested()).prop_map(|(v, body)| Stmt::While(v, body)),
        1 => (nested(), 0..2).prop_map(|(body, v)| Stmt::DoWhile(body, v)),
        1 => (nested(), 0..2).prop_map(|(body, v)| Stmt::Loop(body, v)),
    ];
    prop::collection::vec(annotated(stmt), 1..4).boxed()
}

/// A part of a text.
#[derive(Clone, Debug)]
enum Piece {
    /// Fixed text.
    Text(String),
    /// A position: the cost of a fence there, `None` if no fence is allowed, and the words of a fence.
    Position(Option<u64>, &'static str),
}

/// A text in pieces.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    pieces: Vec<Piece>,
    loops: u32,
    pub by_loops: bool,
    /// Whether annotations are omitted.
    bare: bool,
}

impl Draft {
    /// Appends the declarations and two threads.
    fn threads(&mut self, first: &[Line], second: &[Line]) {
        self.text("shared x, y, z;\nthread a { local r; ");
        self.block(first);
        self.text("}\nthread b { local r; ");
        self.block(second);
        self.text("}\n");
    }

    fn text(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Text(text.into()));
    }

    fn position(&mut self, annotation: Annotation) {
        self.written(annotation, "fence; ");
    }

    /// Appends a position where a fence is written in these words.
    fn written(&mut self, annotation: Annotation, fence: &'static str) {
        let usual = if self.by_loops {
            10u64.pow(self.loops)
        } else {
            1
        };
        let cost = match annotation {
            Annotation::None => Some(usual),
            Annotation::Cost(cost) => Some(cost),
            Annotation::NoFence => None,
        };
        self.pieces.push(Piece::Position(cost, fence));
    }

    fn block(&mut self, lines: &[Line]) {
        for line in lines {
            self.line(line);
        }
        self.position(Annotation::None);
    }

    fn line(&mut self, (annotation, stmt): &Line) {
        let annotation = if self.bare {
            &Annotation::None
        } else {
            annotation
        };
        self.position(*annotation);
        match annotation {
            Annotation::None => {}
            Annotation::Cost(cost) => self.text(format!("@cost {cost} ")),
            Annotation::NoFence => self.text("@nofence "),
        }
        self.stmt(stmt);
    }

    fn looped(&mut self, lines: &[Line]) {
        self.loops += 1;
        self.block(lines);
        self.loops -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Store(x, v) => self.text(format!("{} = {v}; ", CELLS[*x])),
            Stmt::Load(x) => self.text(format!("r = {}; ", CELLS[*x])),
            Stmt::Skip => self.text("skip; "),
            Stmt::If(v, body) => {
                self.text(format!("if (r == {v}) {{ "));
                self.block(body);
                self.text("} ");
                self.written(Annotation::None, "else { fence; } ");
            }
            Stmt::IfElse(v, a, b) => {
                self.text(format!("if (r == {v}) {{ "));
                self.block(a);
                self.text("} else { ");
                self.block(b);
                self.text("} ");
            }
            Stmt::Choose(a, b) => {
                self.text("choose { ");
                self.block(a);
                self.text("} or { ");
                self.block(b);
                self.text("} ");
            }
            Stmt::While(v, body) => {
                self.text(format!("while (r == {v}) {{ "));
                self.looped(body);
                self.text("} ");
            }
            Stmt::WhileCell(x, v) => {
                self.text(format!("while ({} == {v}) {{ ", CELLS[*x]));
                self.looped(&[]);
                self.text("} ");
            }
            Stmt::DoWhile(body, v) => {
                self.text("do { ");
                self.looped(body);
                self.text(format!("}} while (r == {v}); "));
            }
            Stmt::Loop(body, v) => {
                self.text("loop { ");
                self.loops += 1;
                for line in body {
                    self.line(line);
                }
                self.position(Annotation::None);
                self.text(format!("if (r == {v}) {{ "));
                self.position(Annotation::None);
                self.text("break; } ");
                self.written(Annotation::None, "else { fence; } ");
                self.position(Annotation::None);
                self.loops -= 1;
                self.text("} ");
            }
        }
    }

    /// The positions where a fence is allowed, with its cost.
    pub fn positions(&self) -> Vec<(usize, u64)> {
        let pieces = self.pieces.iter().enumerate();
        let priced = pieces.filter_map(|(at, piece)| match piece {
            Piece::Position(cost, _) => Some((at, (*cost)?)),
            Piece::Text(_) => None,
        });
        priced.collect()
    }

    /// The text with fences at these positions.
    pub fn with(&self, fences: &[usize]) -> String {
        self.written_at(fences, "fence")
    }

    /// The text with one-word statements at these positions.
    pub fn written_at(&self, positions: &[usize], word: &str) -> String {
        let pieces = self.pieces.iter().enumerate();
        let written = pieces.map(|(at, piece)| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Position(_, fence) if positions.contains(&at) => fence.replace("fence", word),
            Piece::Position(..) => String::new(),
        });
        written.collect()
    }
}

/// A text with one block in each of two threads.
pub fn draft(first: &[Line], second: &[Line], by_loops: bool) -> Draft {
    let mut draft = Draft {
        by_loops,
        ..Draft::default()
    };
    draft.threads(first, second);
    draft
}

/// The same without annotations, and with properties.
pub fn asking(first: &[Line], second: &[Line]) -> Draft {
    let mut draft = Draft {
        bare: true,
        ..Draft::default()
    };
    draft.threads(first, second);
    draft.text("forbid a.r == 1 && b.r == 0;\nforbid x == 2 && y == 0 && b.r == 1;\n");
    draft.text("final assert a.r != 0 || b.r != 0;\nexists a.r == 2 && z == 1;\n");
    draft
}
