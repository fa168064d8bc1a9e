//! What an expression is before its use is known: a value, a place, a function, a literal.

use super::access::element;
use super::convert::cast;
use super::{CHAR, Checked, Checker, INT, UNSIGNED, VOID, expr, pointer, unqualified};
use crate::c::library::Entry;
use crate::lower::typed::{Bits, Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind, Path};
use crate::lower::typed::{Stmt, StmtKind, Type, TypeKind};
use crate::text::Place;

/// An expression whose use is not known yet.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Expr),
    /// An object, and whether it is declared `const`.
    Place(Lvalue, Constant),
    /// A part of an unnamed object, which the statement makes.
    Temporary(Box<Stmt>, Lvalue),
    /// A declared function, by its number.
    Function(usize, Place),
    /// A function of a library.
    Library(&'static Entry, Place),
    Text(String, Place),
}

/// Whether an object is declared `const`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constant {
    Yes,
    No,
}

impl From<bool> for Constant {
    fn from(constant: bool) -> Self {
        if constant { Self::Yes } else { Self::No }
    }
}

impl Operand {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Value(value) => value.place,
            Self::Place(lvalue, _) | Self::Temporary(_, lvalue) => lvalue.place,
            Self::Function(_, place) | Self::Library(_, place) | Self::Text(_, place) => *place,
        }
    }

    /// The same with brackets around it.
    pub(crate) fn at(mut self, at: Place) -> Self {
        match &mut self {
            Self::Value(value) => value.place = at,
            Self::Place(lvalue, _) | Self::Temporary(_, lvalue) => lvalue.place = at,
            Self::Function(_, place) | Self::Library(_, place) | Self::Text(_, place) => {
                *place = at;
            }
        }
        self
    }
}

impl Checker<'_> {
    /// The value of an operand: objects are loaded, arrays and functions become pointers.
    pub(crate) fn value(&mut self, operand: Operand) -> Checked<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Place(lvalue, _) => self.loaded(lvalue),
            Operand::Temporary(made, lvalue) => {
                let value = self.loaded(lvalue)?;
                Ok(after(*made, value))
            }
            Operand::Function(number, place) if self.is_absent(number) => {
                let ty = pointer(self.functions[number].ty.clone());
                let zero = expr(ExprKind::Const(0), INT.clone(), place);
                Ok(cast(zero, &ty))
            }
            Operand::Function(number, place) => {
                let id = self.with_body(number, place)?;
                let ty = pointer(self.functions[number].ty.clone());
                Ok(expr(ExprKind::Function(id), ty, place))
            }
            Operand::Library(entry, place) if let Some(id) = self.in_c(entry.operation.name) => {
                let kind = TypeKind::Function(Box::new(VOID), vec![pointer(VOID)]);
                let ty = pointer(Type { kind, ..VOID });
                Ok(expr(ExprKind::Function(id), ty, place))
            }
            Operand::Library(entry, place) => Err(self.error_with(
                format!(
                    "the library function `{}` can only be called",
                    entry.operation.name
                ),
                place,
                "write a function that calls it, and use that one",
            )),
            Operand::Text(text, place) => {
                Ok(expr(ExprKind::Text(text), pointer(CHAR.clone()), place))
            }
        }
    }

    pub(crate) fn loaded(&mut self, lvalue: Lvalue) -> Checked<Expr> {
        let place = lvalue.place;
        match &lvalue.ty.kind {
            // There are as many elements as the object has.
            TypeKind::Array(of, 0) => {
                let to = pointer((**of).clone());
                self.mark_addressed(&lvalue);
                let whole = pointer(lvalue.ty.clone());
                let address = expr(ExprKind::AddressOf(Box::new(lvalue)), whole, place);
                Ok(expr(ExprKind::Cast(Box::new(address)), to, place))
            }
            TypeKind::Array(of, _) => {
                let to = pointer((**of).clone());
                self.mark_addressed(&lvalue);
                let first = element(lvalue, number(0, place), place);
                Ok(expr(ExprKind::AddressOf(Box::new(first)), to, place))
            }
            TypeKind::Function(..) => {
                let ty = pointer(lvalue.ty.clone());
                Ok(expr(ExprKind::AddressOf(Box::new(lvalue)), ty, place))
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Struct(_)
            | TypeKind::Library(_) => {
                if !lvalue.ty.is_void() {
                    self.size(&lvalue.ty, place)?;
                }
                let ty = unqualified(&lvalue.ty);
                // Of a bit-field, all values are `int` if they can be, whatever its type.
                let promoted = match &lvalue.kind {
                    LvalueKind::Bits(_, bits) => Some(promoted(*bits, &ty)),
                    LvalueKind::Object(_)
                    | LvalueKind::Local(_)
                    | LvalueKind::Deref(_)
                    | LvalueKind::Member(..)
                    | LvalueKind::Element(..) => None,
                };
                let value = expr(ExprKind::Load(Box::new(lvalue)), ty, place);
                Ok(match promoted {
                    Some(ty) => cast(value, &ty),
                    None => value,
                })
            }
        }
    }

    /// The type of an operand as `sizeof` and `typeof` see it: without conversions.
    pub(crate) fn type_of(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => value.ty.clone(),
            Operand::Place(lvalue, _) | Operand::Temporary(_, lvalue) => lvalue.ty.clone(),
            Operand::Function(number, _) => self.functions[*number].ty.clone(),
            Operand::Library(..) => VOID.clone(),
            Operand::Text(text, _) => Type {
                kind: TypeKind::Array(Box::new(CHAR.clone()), text.len() as u32 + 1),
                ..CHAR
            },
        }
    }

    /// An unnamed local variable with this value; `None` outside of functions.
    pub(crate) fn temporary(&mut self, value: Expr) -> Option<(Stmt, Lvalue)> {
        let place = value.place;
        let ty = value.ty.clone();
        let id = self.unnamed_local(&ty)?;
        let lvalue = local(id, ty.clone(), place);
        let kind = if self.structure(&ty).is_some() {
            let assign = ExprKind::Assign(Box::new(lvalue.clone()), Box::new(value));
            let declare = StmtKind::Declare(id, Vec::new(), Initialised::No);
            StmtKind::Block(vec![
                Stmt {
                    kind: declare,
                    place,
                },
                Stmt {
                    kind: StmtKind::Expr(expr(assign, ty, place)),
                    place,
                },
            ])
        } else {
            StmtKind::Declare(id, vec![(Path::new(), value)], Initialised::Yes)
        };
        Some((Stmt { kind, place }, lvalue))
    }
}

/// The type that the value of a bit-field has in an operation (C17, 6.3.1.1).
fn promoted(bits: Bits, ty: &Type) -> Type {
    if bits.width >= 32 && matches!(ty.kind, TypeKind::Int { signed: false, .. }) {
        UNSIGNED.clone()
    } else {
        INT.clone()
    }
}

/// A local variable as a place.
pub(crate) fn local(id: LocalId, ty: Type, place: Place) -> Lvalue {
    let kind = LvalueKind::Local(id);
    Lvalue { kind, ty, place }
}

/// A number of elements.
pub(crate) fn number(value: i64, place: Place) -> Expr {
    expr(ExprKind::Const(value), super::LONG.clone(), place)
}

/// The value after this statement. Several statements of one value stay one list.
pub(crate) fn after(made: Stmt, value: Expr) -> Expr {
    let (ty, place) = (value.ty.clone(), value.place);
    let mut statements = if let StmtKind::Block(statements) = made.kind {
        statements
    } else {
        vec![made]
    };
    statements.push(Stmt {
        kind: StmtKind::Expr(value),
        place,
    });
    expr(ExprKind::Statement(statements), ty, place)
}
