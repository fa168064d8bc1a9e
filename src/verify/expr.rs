//! Expressions: 32-bit two's complement, wrapping; a comparison is 0 or 1; division by 0 gives 0.

/// What an expression may mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Var {
    /// A register of the thread that evaluates it.
    Own(usize),
    /// A register of this thread, in a property.
    Of(usize, usize),
    /// 1 if this thread is at this location, in a property.
    At(usize, usize),
    /// The cell with this index, in a property.
    Cell(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Not,
    Flip,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// The operators as written, with how tightly they bind; all associate to the left.
pub(super) const BINARY: [(&str, u8, Binary); 18] = [
    ("||", 1, Binary::Or),
    ("&&", 2, Binary::And),
    ("|", 3, Binary::BitOr),
    ("^", 4, Binary::BitXor),
    ("&", 5, Binary::BitAnd),
    ("==", 6, Binary::Eq),
    ("!=", 6, Binary::Ne),
    ("<", 7, Binary::Lt),
    ("<=", 7, Binary::Le),
    (">", 7, Binary::Gt),
    (">=", 7, Binary::Ge),
    ("<<", 8, Binary::Shl),
    (">>", 8, Binary::Shr),
    ("+", 9, Binary::Add),
    ("-", 9, Binary::Sub),
    ("*", 10, Binary::Mul),
    ("/", 10, Binary::Div),
    ("%", 10, Binary::Rem),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expr {
    Number(i32),
    Var(Var),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    If(Box<[Expr; 3]>),
}

impl Expr {
    /// The value, given those of the variables.
    pub(super) fn eval(&self, value: &impl Fn(Var) -> i32) -> i32 {
        match self {
            Expr::Number(number) => *number,
            Expr::Var(var) => value(*var),
            Expr::Unary(op, a) => op.apply(a.eval(value)),
            Expr::Binary(op, a, b) => op.apply(a.eval(value), b.eval(value)),
            Expr::If(parts) => {
                let [c, a, b] = &**parts;
                if c.eval(value) == 0 {
                    b.eval(value)
                } else {
                    a.eval(value)
                }
            }
        }
    }

    /// Calls `see` for each variable that is mentioned.
    pub(super) fn each_var(&self, see: &mut impl FnMut(Var)) {
        match self {
            Expr::Number(_) => {}
            Expr::Var(var) => see(*var),
            Expr::Unary(_, a) => a.each_var(see),
            Expr::Binary(_, a, b) => {
                a.each_var(see);
                b.each_var(see);
            }
            Expr::If(parts) => parts.iter().for_each(|part| part.each_var(see)),
        }
    }

    /// The value, if no variable is mentioned.
    pub(super) fn constant(&self) -> Option<i32> {
        let mut mentions = false;
        self.each_var(&mut |_| mentions = true);
        (!mentions).then(|| self.eval(&|_| 0))
    }
}

impl Unary {
    pub(super) fn apply(self, a: i32) -> i32 {
        match self {
            Unary::Not => i32::from(a == 0),
            Unary::Flip => !a,
            Unary::Minus => a.wrapping_neg(),
        }
    }
}

impl Binary {
    pub(super) fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Binary::Or => i32::from(a != 0 || b != 0),
            Binary::And => i32::from(a != 0 && b != 0),
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::BitAnd => a & b,
            Binary::Eq => i32::from(a == b),
            Binary::Ne => i32::from(a != b),
            Binary::Lt => i32::from(a < b),
            Binary::Le => i32::from(a <= b),
            Binary::Gt => i32::from(a > b),
            Binary::Ge => i32::from(a >= b),
            // The number of bits to shift by is taken modulo 32.
            Binary::Shl => a.wrapping_shl(b as u32),
            Binary::Shr => a.wrapping_shr(b as u32),
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div | Binary::Rem if b == 0 => 0,
            Binary::Div => a.wrapping_div(b),
            Binary::Rem => a.wrapping_rem(b),
        }
    }
}
