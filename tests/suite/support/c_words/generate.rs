//! Draws the programs.

use super::execute::{Machine, type_of};
use super::types::{ALL, I32, I64, Int, U32, U64, int};
use super::{Atomic, Dialect, Expr, Function, Object, Place, Stmt, Words};
use crate::support::c_programs::Random;

/// Who computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `main`, of which all is known.
    Alone,
    /// A thread, which loads what it computes with.
    InThread,
    /// Two threads, each with its own objects, and with sums that both add to.
    TwoThreads,
    /// Two threads that access the same objects.
    Racing,
}

const U16: Int = int(16, false);
const I16: Int = int(16, true);
const U8: Int = int(8, false);
const I8: Int = int(8, true);

/// A place of an object: its text, offset and type.
type Part = (&'static str, usize, Int);

/// A kind of object. In texts, `#` is the name.
struct Kind {
    declaration: &'static str,
    size: usize,
    /// Those that make up all bytes.
    all: &'static [Part],
    others: &'static [Part],
    /// Only with casts.
    casts: &'static [Part],
    /// The type by which it is copied.
    copied: Option<&'static str>,
    atomic: bool,
}

const SCALAR: Kind = Kind {
    declaration: "",
    size: 8,
    all: &[],
    others: &[],
    casts: &[],
    copied: None,
    atomic: false,
};

const SCALARS: [Kind; 8] = [
    Kind {
        declaration: "uint64_t #",
        all: &[("#", 0, U64)],
        casts: &[
            ("(*(uint8_t *)&#)", 0, U8),
            ("(*(uint32_t *)&#)", 0, U32),
            ("((uint16_t *)&#)[1]", 2, U16),
            ("((uint32_t *)&#)[1]", 4, U32),
            ("((int8_t *)&#)[7]", 7, I8),
            ("(*(int64_t *)&#)", 0, I64),
        ],
        ..SCALAR
    },
    Kind {
        declaration: "int64_t #",
        all: &[("#", 0, I64)],
        casts: &[
            ("((int32_t *)&#)[1]", 4, I32),
            ("(*(uint32_t *)((char *)&# + 4))", 4, U32),
            ("(*(uint64_t *)&#)", 0, U64),
        ],
        ..SCALAR
    },
    Kind {
        declaration: "uint32_t #",
        size: 4,
        all: &[("#", 0, U32)],
        casts: &[
            ("(*(uint8_t *)&#)", 0, U8),
            ("((uint8_t *)&#)[1]", 1, U8),
            ("((uint16_t *)&#)[1]", 2, U16),
        ],
        ..SCALAR
    },
    Kind {
        declaration: "int32_t #",
        size: 4,
        all: &[("#", 0, I32)],
        ..SCALAR
    },
    Kind {
        declaration: "volatile uint64_t #",
        all: &[("#", 0, U64)],
        ..SCALAR
    },
    Kind {
        declaration: "uint64_t #[2]",
        size: 16,
        all: &[("#[0]", 0, U64), ("#[1]", 8, U64)],
        ..SCALAR
    },
    Kind {
        declaration: "struct pair #",
        size: 16,
        all: &[("#.a", 0, U64), ("#.b", 8, I64)],
        copied: Some("struct pair"),
        ..SCALAR
    },
    Kind {
        declaration: "uint16_t #",
        size: 2,
        all: &[("#", 0, U16)],
        ..SCALAR
    },
];

const ATOMICS: [Kind; 3] = [
    Kind {
        declaration: "_Atomic uint64_t #",
        all: &[("#", 0, U64)],
        atomic: true,
        ..SCALAR
    },
    Kind {
        declaration: "_Atomic int64_t #",
        all: &[("#", 0, I64)],
        atomic: true,
        ..SCALAR
    },
    Kind {
        declaration: "_Atomic uint32_t #",
        size: 4,
        all: &[("#", 0, U32)],
        atomic: true,
        ..SCALAR
    },
];

const UNIONS: [Kind; 8] = [
    Kind {
        declaration: "union halves #",
        all: &[("#.w", 0, U64)],
        others: &[("#.p.lo", 0, U32), ("#.p.hi", 4, U32)],
        copied: Some("union halves"),
        ..SCALAR
    },
    Kind {
        declaration: "union pieces #",
        all: &[("#.w", 0, U64)],
        others: &[
            ("#.h[0]", 0, U32),
            ("#.h[1]", 4, U32),
            ("#.q[1]", 2, U16),
            ("#.q[2]", 4, U16),
            ("#.b[0]", 0, U8),
            ("#.b[5]", 5, U8),
            ("#.b[7]", 7, U8),
        ],
        copied: Some("union pieces"),
        ..SCALAR
    },
    Kind {
        declaration: "union lock #",
        size: 4,
        all: &[("#.w", 0, U32)],
        others: &[
            ("#.f.locked", 0, U8),
            ("#.f.pending", 1, U8),
            ("#.f.tail", 2, U16),
        ],
        copied: Some("union lock"),
        ..SCALAR
    },
    Kind {
        declaration: "union ticket #",
        size: 4,
        all: &[("#.w", 0, U32)],
        others: &[("#.t.head", 0, U16), ("#.t.tail", 2, I16), ("#.s", 0, I32)],
        copied: Some("union ticket"),
        ..SCALAR
    },
    Kind {
        declaration: "union fields #",
        all: &[("#.u", 0, U64)],
        others: &[
            ("#.s", 0, I64),
            ("#.f.a", 0, U16),
            ("#.f.b", 2, I16),
            ("#.f.c", 4, U32),
        ],
        copied: Some("union fields"),
        ..SCALAR
    },
    Kind {
        declaration: "struct around #",
        size: 24,
        all: &[("#.x", 0, U8), ("#.w", 8, U64), ("#.y", 16, U16)],
        others: &[("#.lo", 8, U32), ("#.hi", 12, I32)],
        copied: Some("struct around"),
        ..SCALAR
    },
    Kind {
        declaration: "union nested #",
        all: &[("#.w", 0, U64)],
        others: &[
            ("#.o.in.v", 0, U32),
            ("#.o.in.i.l", 0, U16),
            ("#.o.in.i.h", 2, U16),
            ("#.o.n", 4, U32),
        ],
        copied: Some("union nested"),
        ..SCALAR
    },
    Kind {
        declaration: "union bytes #",
        size: 2,
        all: &[("#.w", 0, U16)],
        others: &[("#.b[0]", 0, U8), ("#.s.hi", 1, I8)],
        copied: Some("union bytes"),
        ..SCALAR
    },
];

pub fn types_of_unions() -> &'static str {
    "struct pair { uint64_t a; int64_t b; };\n\
     union halves { uint64_t w; struct { uint32_t lo, hi; } p; };\n\
     union pieces { uint64_t w; uint32_t h[2]; uint16_t q[4]; uint8_t b[8]; };\n\
     union lock { uint32_t w; struct { uint8_t locked, pending; uint16_t tail; } f; };\n\
     union ticket { uint32_t w; struct { uint16_t head; int16_t tail; } t; int32_t s; };\n\
     union fields { int64_t s; uint64_t u; struct { uint16_t a; int16_t b; uint32_t c; } f; };\n\
     struct around { uint8_t x; union { uint64_t w; struct { uint32_t lo; int32_t hi; }; }; uint16_t y; };\n\
     union nested { uint64_t w; struct { union { uint32_t v; struct { uint16_t l, h; } i; } in; uint32_t n; } o; };\n\
     union bytes { uint16_t w; uint8_t b[2]; struct { int8_t lo, hi; } s; };\n"
}

pub struct Maker {
    pub random: Random,
    pub mode: Mode,
    pub unions: bool,
    pub casts: bool,
    pub atomics: bool,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    pub thread: usize,
}

/// The program that a seed stands for.
pub fn words(seed: u64, mode: Mode) -> Words {
    let mut random = Random(seed);
    let [unions, casts, atomics] = [2, 4, 2].map(|n| random.rarely(n));
    let mut maker = Maker {
        random,
        mode,
        unions,
        casts,
        atomics,
        objects: Vec::new(),
        functions: Vec::new(),
        thread: 0,
    };
    maker.program()
}

impl Maker {
    fn program(&mut self) -> Words {
        let (threads, most) = match self.mode {
            Mode::Alone | Mode::InThread => (1, 8),
            Mode::TwoThreads | Mode::Racing => (2, 4),
        };
        for _ in 0..self.random.below(3) {
            let function = self.function();
            self.functions.push(function);
        }
        for thread in 0..threads {
            for _ in 0..2 + self.random.below(3) {
                self.object(Some(thread));
            }
        }
        if self.mode == Mode::TwoThreads {
            self.object(None);
        }
        let mut bodies = Vec::new();
        let mut checks = Vec::new();
        let initially: Vec<Vec<u8>> = self.objects.iter().map(|o| o.bytes.clone()).collect();
        for thread in 0..threads {
            self.thread = thread;
            let count = 2 + self.random.below(most);
            let body = self.stmts(count, 2);
            let locals = |object: &Object| object.local && object.owner == Some(thread);
            checks.push(self.checks(locals));
            bodies.push(body);
        }
        checks.push(self.checks(|object| !object.local));
        for (object, bytes) in self.objects.iter_mut().zip(initially) {
            object.bytes = bytes;
        }
        Words {
            mode: self.mode,
            objects: std::mem::take(&mut self.objects),
            functions: std::mem::take(&mut self.functions),
            threads: bodies,
            checks,
        }
    }

    /// What these objects hold: all of it, and some other place of each.
    fn checks(&mut self, which: impl Fn(&Object) -> bool) -> Vec<(Place, i128)> {
        let mut checks = Vec::new();
        for object in self.objects.iter().filter(|object| which(object)) {
            let other = self.random.of(&object.places);
            let is_new = object.initial.iter().all(|place| place.text != other.text);
            for place in object.initial.iter().chain(is_new.then_some(&other)) {
                checks.push((place.clone(), place.read(&object.bytes)));
            }
        }
        checks
    }

    /// A new object that this thread alone uses, or that both add to.
    pub fn object(&mut self, owner: Option<usize>) {
        let is_sum = owner.is_none() && self.mode == Mode::TwoThreads;
        let kind = if is_sum || self.atomics && self.random.rarely(3) {
            &ATOMICS[self.random.below(ATOMICS.len())]
        } else if self.unions && !self.random.rarely(3) {
            &UNIONS[self.random.below(UNIONS.len())]
        } else {
            &SCALARS[self.random.below(SCALARS.len())]
        };
        let number = self.objects.len();
        let local = owner.is_some() && !kind.atomic && self.random.rarely(3);
        let name = format!("{}{number}@", if local { "v" } else { "g" });
        let named = |&(text, offset, ty): &Part| Place {
            object: number,
            offset,
            ty,
            text: text.replace('#', &name),
            atomic: kind.atomic,
        };
        let initial: Vec<Place> = kind.all.iter().map(named).collect();
        let casts = if self.casts { kind.casts } else { &[] };
        let others = kind.others.iter().chain(casts).map(named);
        let places = initial.iter().cloned().chain(others).collect();
        let mut bytes = vec![0; kind.size];
        for place in &initial {
            let value = self.number(place.ty);
            place.write(&mut bytes, value);
        }
        self.objects.push(Object {
            name,
            declaration: kind.declaration.to_owned(),
            places,
            bytes,
            initial,
            owner,
            local,
            copied: kind.copied,
        });
    }

    /// A number of a type, often at an end of some width.
    pub fn number(&mut self, ty: Int) -> i128 {
        let bit = 1_i128 << self.random.below(ty.bits as usize);
        let near = self.random.below(3) as i128 - 1;
        let value = match self.random.below(6) {
            0 => near,
            1 => bit + near,
            2 => -bit + near,
            3 => self.random.below(1000) as i128,
            _ => i128::from(self.random.next()),
        };
        ty.wrap(value)
    }

    /// The places that the thread may use.
    fn places(&self, which: impl Fn(&Place) -> bool) -> Vec<Place> {
        let own = self.objects.iter().filter(|o| o.owner == Some(self.thread));
        let places = own.flat_map(|object| &object.places);
        places.filter(|place| which(place)).cloned().collect()
    }

    fn place(&mut self, which: impl Fn(&Place) -> bool) -> Option<Place> {
        let places = self.places(which);
        (!places.is_empty()).then(|| self.random.of(&places))
    }

    /// Parameters, of a function; places elsewhere.
    fn leaf(&mut self, parameters: Option<&[Int]>) -> Expr {
        if !self.random.rarely(4) {
            match parameters {
                Some(types) => {
                    let at = self.random.below(types.len());
                    return Expr::Parameter(at, types[at]);
                }
                None => {
                    if let Some(place) = self.place(|_| true) {
                        return Expr::Load(place);
                    }
                }
            }
        }
        let ty = self.random.of(&[U64, U64, I64, U32, I32]);
        Expr::Const(self.number(ty), ty)
    }

    fn expr(&mut self, depth: usize, parameters: Option<&[Int]>) -> Expr {
        if depth == 0 || self.random.rarely(5) {
            return self.leaf(parameters);
        }
        let inner = |this: &mut Self| Box::new(this.expr(depth - 1, parameters));
        match self.random.below(20) {
            0..=5 => {
                let op = self
                    .random
                    .of(&["+", "-", "+", "-", "*", "&", "|", "^", "&", "|"]);
                Expr::Binary(op, inner(self), inner(self))
            }
            6..=9 => {
                let op = self.random.of(&["<<", ">>"]);
                let shifted = inner(self);
                let bits = type_of(&shifted, &self.functions).bits;
                let by = Expr::Const(self.random.below(bits as usize) as i128, I32);
                let by = if self.random.rarely(3) {
                    let mask = Expr::Const(i128::from(bits) - 1, I32);
                    Expr::Binary("&", inner(self), Box::new(mask))
                } else {
                    by
                };
                Expr::Binary(op, shifted, Box::new(by))
            }
            10 => {
                // A field of a word.
                let mask = (1 << (1 + self.random.below(40))) - 1;
                let mask = Box::new(Expr::Const(mask, U64));
                Expr::Binary("&", inner(self), mask)
            }
            11..=13 => {
                let op = self.random.of(&["==", "!=", "<", "<=", ">", ">="]);
                Expr::Binary(op, inner(self), inner(self))
            }
            14 => Expr::Binary(self.random.of(&["&&", "||"]), inner(self), inner(self)),
            15 => Expr::Conditional(inner(self), inner(self), inner(self)),
            16 => Expr::Unary(self.random.of(&["!", "~", "-"]), inner(self)),
            17 if self.random.rarely(3) => {
                let op = self.random.of(&["/", "%"]);
                let by = self.random.of(&[1 << 16, 8, 1 << 33, 10]);
                let by = Expr::Const(by, self.random.of(&[U64, I64]));
                Expr::Binary(op, inner(self), Box::new(by))
            }
            18 if parameters.is_none() && !self.functions.is_empty() => {
                let function = self.random.below(self.functions.len());
                let count = self.functions[function].parameters.len();
                let arguments = (0..count).map(|_| *inner(self)).collect();
                Expr::Call(function, arguments)
            }
            _ => Expr::Cast(self.random.of(&ALL), inner(self)),
        }
    }

    fn function(&mut self) -> Function {
        let ty = self.random.of(&[U64, U64, I64, U32]);
        let parameters: Vec<Int> = (0..=self.random.below(2))
            .map(|_| self.random.of(&[U64, U64, I64, U32, I32]))
            .collect();
        let body = self.expr(3, Some(&parameters));
        Function {
            ty,
            parameters,
            body,
        }
    }

    /// Statements that have been executed.
    fn stmts(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..count * 4 {
            if stmts.len() == count {
                break;
            }
            let Some(stmt) = self.stmt(depth) else {
                continue;
            };
            let before: Vec<Vec<u8>> = self.objects.iter().map(|o| o.bytes.clone()).collect();
            let mut machine = Machine {
                objects: &mut self.objects,
                functions: &self.functions,
            };
            if machine.execute(&stmt).is_some() {
                stmts.push(stmt);
            } else {
                for (object, bytes) in self.objects.iter_mut().zip(before) {
                    object.bytes = bytes;
                }
            }
        }
        stmts
    }

    /// Statements that may not be.
    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let count = 1 + self.random.below(2);
        (0..count).filter_map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: usize) -> Option<Stmt> {
        let into = self.place(|_| true)?;
        Some(match self.random.below(if depth == 0 { 14 } else { 18 }) {
            0..=5 => Stmt::Assign(into, self.expr(3, None)),
            6..=8 => {
                let op = self
                    .random
                    .of(&["+", "-", "&", "|", "^", "<<", ">>", "*", "+"]);
                let operand = if matches!(op, "<<" | ">>") {
                    let bits = into.ty.promoted().bits;
                    Expr::Const(self.random.below(bits as usize) as i128, I32)
                } else {
                    self.expr(2, None)
                };
                Stmt::Update(into, op, operand)
            }
            9 => {
                let place = self.place(|place| place.object != into.object)?;
                let op = self.random.of(&["++", "--"]);
                Stmt::Step(into, place, op, self.random.rarely(2))
            }
            10 => {
                let pairs = self.copies();
                let (into, from) = (!pairs.is_empty()).then(|| self.random.of(&pairs))?;
                Stmt::Copy(into, from)
            }
            11..=13 => return self.atomic(into),
            14 | 15 => {
                let condition = self.expr(2, None);
                Stmt::If(condition, self.block(depth - 1), self.block(depth - 1))
            }
            16 => Stmt::Repeat(2 + self.random.below(2), self.block(depth - 1)),
            _ => {
                let value = self.expr(2, None);
                Stmt::Switch(value, self.block(depth - 1), self.block(depth - 1))
            }
        })
    }

    /// Pairs of objects of one type.
    fn copies(&self) -> Vec<(usize, usize)> {
        let own = |at: &usize| self.objects[*at].owner == Some(self.thread);
        let all: Vec<usize> = (0..self.objects.len()).filter(own).collect();
        let mut pairs = Vec::new();
        for &a in &all {
            for &b in &all {
                let ty = self.objects[a].copied;
                if a != b && ty.is_some() && ty == self.objects[b].copied {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    fn atomic(&mut self, into: Place) -> Option<Stmt> {
        if self.mode == Mode::TwoThreads && self.random.rarely(2) {
            let shared = self.objects.iter().find(|object| object.owner.is_none())?;
            let place = shared.initial[0].clone();
            let atomic = Atomic {
                op: self.random.of(&["add", "sub"]),
                dialect: Dialect::C11,
                order: self.random.of(&["seq_cst", "relaxed"]),
            };
            return Some(Stmt::Fetch(None, place, atomic, self.expr(2, None)));
        }
        if !self.atomics {
            return None;
        }
        let place = self.place(|place| place.object != into.object)?;
        let dialects: &[Dialect] = if place.atomic {
            &[Dialect::C11]
        } else {
            &[Dialect::Gnu, Dialect::Gnu, Dialect::Sync]
        };
        let dialect = self.random.of(dialects);
        if self.random.rarely(2) {
            let expected = self.place(|other| {
                other.ty == place.ty && other.object != place.object && !other.atomic
            })?;
            let desired = self.expr(2, None);
            return Some(Stmt::Exchange(into, place, expected, desired, dialect));
        }
        let fetch = ["add", "sub", "and", "or", "xor"];
        let op = match dialect {
            Dialect::Sync => self.random.of(&fetch),
            Dialect::C11 | Dialect::Gnu => {
                let others = ["load", "store", "exchange"];
                self.random.of(&[&fetch[..], &others[..]].concat())
            }
        };
        let orders: &[&str] = match op {
            "load" => &["seq_cst", "relaxed", "acquire"],
            "store" => &["seq_cst", "relaxed", "release"],
            _ => &["seq_cst", "relaxed", "acq_rel"],
        };
        let atomic = Atomic {
            op,
            dialect,
            order: self.random.of(orders),
        };
        let operand = self.expr(2, None);
        let has_result = op == "load" || op != "store" && self.random.rarely(2);
        Some(Stmt::Fetch(
            has_result.then_some(into),
            place,
            atomic,
            operand,
        ))
    }
}
