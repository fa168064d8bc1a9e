//! Conversions: promotions, the usual arithmetic conversions, casts, and assignments.

use super::access::element;
use super::fold::{fold, wrap};
use super::narrow;
use super::operand::number;
use super::{CHAR, Checked, Checker, INT, Operand, UNSIGNED_LONG, expr, integer, to, unqualified};
use crate::lower::typed::{
    Expr, ExprKind, LibraryType, Lvalue, LvalueKind, Object, Step, Type, TypeKind,
};
use crate::text::Place;

/// Where a value is converted as in an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Assigned,
    Initial,
    /// Of a parameter, by its number from 1.
    Argument(usize),
    Returned,
}

impl Wanted {
    fn as_text(self) -> String {
        match self {
            Self::Assigned => "the place assigned to".to_owned(),
            Self::Initial => "the object initialised".to_owned(),
            Self::Argument(number) => format!("parameter {number}"),
            Self::Returned => "the function's result".to_owned(),
        }
    }
}

/// The value in this type, by a conversion that is always allowed.
pub(crate) fn cast(value: Expr, ty: &Type) -> Expr {
    let ty = unqualified(ty);
    if value.ty == ty {
        return value;
    }
    let place = value.place;
    let kind = if let ExprKind::Const(constant) = value.kind
        && value.ty.is_integer()
        && ty.width().is_some()
    {
        ExprKind::Const(wrap(constant, &ty))
    } else {
        ExprKind::Cast(Box::new(value))
    };
    expr(kind, ty, place)
}

/// An integer in the type in which C computes with it: at least `int`.
pub(crate) fn promote(value: Expr) -> Expr {
    match value.ty.width() {
        Some((bits, _)) if bits < 32 => cast(value, &INT),
        _ => value,
    }
}

/// Two integers in the type that C computes in.
pub(crate) fn usual(left: Expr, right: Expr) -> (Expr, Expr) {
    let (left, right) = (promote(left), promote(right));
    let common = common(&left.ty, &right.ty);
    (cast(left, &common), cast(right, &common))
}

/// Two numbers of which one is floating point, in the type that C computes in; `None` if they are no numbers.
pub(crate) fn floating(left: Expr, right: Expr) -> Option<(Expr, Expr)> {
    let bits = |value: &Expr| {
        if let TypeKind::Float { bits } = value.ty.kind {
            return Some(bits);
        }
        value.ty.is_integer().then_some(0)
    };
    let ty = super::float(bits(&left)?.max(bits(&right)?));
    Some((cast(left, &ty), cast(right, &ty)))
}

/// The common type of two promoted integer types.
fn common(left: &Type, right: &Type) -> Type {
    let (Some(left), Some(right)) = (left.width(), right.width()) else {
        return INT.clone();
    };
    let (bits, signed) = match left.0.cmp(&right.0) {
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Equal => (left.0, left.1 && right.1),
    };
    integer(bits as u8, signed)
}

/// Whether the expression is a null pointer constant.
pub(crate) fn is_null(value: &Expr) -> bool {
    let null = value.ty.is_integer() || value.ty.pointee().is_some_and(Type::is_void);
    null && fold(value) == Ok(0)
}

/// Whether pointers to these types may be mixed without a warning: what differs is at most the sign
/// of integers, and `volatile`.
pub(crate) fn alike(a: &Type, b: &Type) -> bool {
    if a.atomic != b.atomic {
        return false;
    }
    match (&a.kind, &b.kind) {
        (TypeKind::Int { bits: a, .. }, TypeKind::Int { bits: b, .. }) => a == b,
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => alike(a, b),
        (TypeKind::Array(a, m), TypeKind::Array(b, n)) => {
            alike(a, b) && (m == n || *m == 0 || *n == 0)
        }
        (TypeKind::Function(a, m), TypeKind::Function(b, n)) => {
            let parameters = m.is_empty()
                || n.is_empty()
                || m.len() == n.len() && m.iter().zip(n).all(|(a, b)| alike(a, b));
            alike(a, b) && parameters
        }
        (a, b) => a == b,
    }
}

impl Checker<'_> {
    /// The value, in which string literals are objects of their own.
    pub(crate) fn with_texts(&mut self, mut value: Expr) -> Expr {
        self.place_texts(&mut value);
        value
    }

    fn place_texts(&mut self, value: &mut Expr) {
        let place = value.place;
        match &mut value.kind {
            // The objects of a litmus test are its variables.
            ExprKind::Text(_) if self.test.is_some() => {
                self.error("a litmus test has no texts", place);
            }
            ExprKind::Text(text) => {
                let text = std::mem::take(text);
                let ty = Type {
                    kind: TypeKind::Array(Box::new(CHAR), text.len() as u32 + 1),
                    ..CHAR
                };
                let scalar = |(at, byte): (usize, u8)| {
                    let kind = ExprKind::Const(i64::from(byte as i8));
                    (vec![Step::Element(at as u32)], expr(kind, CHAR, place))
                };
                let object = Object {
                    name: "text".to_owned(),
                    ty: ty.clone(),
                    init: text.bytes().enumerate().map(scalar).collect(),
                    tail: 0,
                    thread_local: false,
                    reached: true,
                    place,
                };
                let kind = LvalueKind::Object(self.new_object(object, true));
                let first = element(Lvalue { kind, ty, place }, number(0, place), place);
                value.kind = ExprKind::AddressOf(Box::new(first));
            }
            ExprKind::Cast(operand) | ExprKind::Comma(_, operand) => self.place_texts(operand),
            ExprKind::Conditional(_, then, otherwise) => {
                self.place_texts(then);
                self.place_texts(otherwise);
            }
            ExprKind::Const(_)
            | ExprKind::Function(_)
            | ExprKind::Load(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Checked(..)
            | ExprKind::New(_)
            | ExprKind::Call(..)
            | ExprKind::Statement(_) => {}
        }
    }

    /// The operand as a condition: a value that is compared with 0.
    pub(crate) fn condition(&mut self, operand: Operand) -> Checked<Expr> {
        let value = self.value(operand)?;
        if matches!(value.kind, ExprKind::Text(_) | ExprKind::Function(_)) {
            return Ok(expr(ExprKind::Const(1), INT.clone(), value.place));
        }
        if value.ty.is_float() {
            return Err(self.no_number(value.place));
        }
        let is_thread = value.ty.kind == TypeKind::Library(LibraryType::Thread);
        if !value.ty.is_scalar() && !is_thread {
            let message = format!("`{}` is not a condition", self.show(&value.ty));
            let note = "conditions are integers or pointers";
            return Err(self.error_with(message, value.place, note));
        }
        Ok(narrow::condition(value))
    }

    /// The operand as a promoted integer.
    pub(crate) fn integer_value(&mut self, operand: Operand, what: &str) -> Checked<Expr> {
        let value = self.value(operand)?;
        if value.ty.kind == TypeKind::Library(LibraryType::Thread) {
            return Ok(cast(value, &UNSIGNED_LONG));
        }
        if !value.ty.is_integer() {
            let message = format!("{what} must be an integer, not `{}`", self.show(&value.ty));
            return Err(self.error(message, value.place));
        }
        Ok(promote(value))
    }

    /// The value, converted as in an assignment to an object of this type.
    pub(crate) fn converted(&mut self, value: Expr, ty: &Type, wanted: Wanted) -> Checked<Expr> {
        let value = self.with_texts(value);
        let place = value.place;
        match (&ty.kind, &value.ty.kind) {
            (TypeKind::Int { .. } | TypeKind::Bool, TypeKind::Int { .. } | TypeKind::Bool)
            | (TypeKind::Bool, TypeKind::Pointer(_))
            // An `unsigned long`, as the C libraries define it.
            | (TypeKind::Library(LibraryType::Thread), TypeKind::Int { .. })
            | (TypeKind::Int { .. }, TypeKind::Library(LibraryType::Thread)) => Ok(cast(value, ty)),
            (TypeKind::Float { .. }, _) if value.ty.is_integer() || value.ty.is_float() => {
                Ok(cast(value, ty))
            }
            (TypeKind::Int { .. } | TypeKind::Bool, TypeKind::Float { .. }) => {
                Err(self.no_number(place))
            }
            (TypeKind::Pointer(_), _) if is_null(&value) => Ok(cast(value, ty)),
            (TypeKind::Pointer(into), TypeKind::Pointer(from)) => {
                if !into.is_void() && !from.is_void() && !alike(into, from) {
                    let (into, from) = (self.show(ty), self.show(&value.ty));
                    let what = wanted.as_text();
                    self.warn(
                        format!("`{from}` is mixed with `{into}`, the type of {what}"),
                        place,
                    );
                }
                Ok(cast(value, ty))
            }
            (TypeKind::Int { .. }, TypeKind::Pointer(_))
            | (TypeKind::Pointer(_), TypeKind::Int { .. })
                if self.test.is_some() =>
            {
                Ok(cast(value, ty))
            }
            (TypeKind::Struct(into), TypeKind::Struct(from)) if into == from => Ok(value),
            (TypeKind::Library(into), TypeKind::Library(from)) if into == from => Ok(value),
            _ => Err(self.mismatch(&value, ty, wanted)),
        }
    }

    /// Refuses that anything depends on a floating-point number.
    pub(crate) fn no_number(&mut self, place: Place) -> super::Reported {
        self.error_with(
            "this depends on the value of a floating-point number, which is not modelled",
            place,
            "use integers, for example in a smaller unit; what is only computed, stored and printed may be \
             floating point",
        )
    }

    fn mismatch(&mut self, value: &Expr, ty: &Type, wanted: Wanted) -> super::Reported {
        let shown = self.show(&unqualified(ty));
        let from = self.show(&value.ty);
        let message = if value.ty.is_void() {
            format!(
                "this has no value, where {} needs `{shown}`",
                wanted.as_text()
            )
        } else {
            format!(
                "`{from}` is not `{shown}`, the type of {}",
                wanted.as_text()
            )
        };
        if ty.is_scalar() && value.ty.is_scalar() {
            let note = format!("if it is meant, convert it: `({shown})…`");
            return self.error_with(message, value.place, note);
        }
        self.error(message, value.place)
    }

    /// `(T)e`
    pub(crate) fn explicit_cast(
        &mut self,
        ty: &Type,
        operand: Operand,
        place: Place,
    ) -> Checked<Operand> {
        let value = self.value(operand)?;
        let place = to(place, value.place);
        if ty.is_integer() && value.ty.is_float() {
            return Err(self.no_number(place));
        }
        let thread = |ty: &Type| ty.kind == TypeKind::Library(LibraryType::Thread);
        let value = if thread(&value.ty) && ty.is_pointer() || thread(ty) && value.ty.is_pointer() {
            cast(value, &UNSIGNED_LONG)
        } else {
            value
        };
        let is_mixed =
            ty.is_float() && value.ty.is_pointer() || ty.is_pointer() && value.ty.is_float();
        let allowed = ty.is_void()
            || ty.is_scalar() && value.ty.is_scalar() && !is_mixed
            || thread(ty) && value.ty.is_integer()
            || thread(&value.ty) && ty.is_integer()
            || ty.kind == value.ty.kind && !ty.is_function();
        if !allowed {
            let (from, into) = (self.show(&value.ty), self.show(ty));
            let message = format!("`{from}` cannot be converted to `{into}`");
            return Err(self.error(message, place));
        }
        let offset = self
            .offset_from_null(&value)
            .filter(|_| ty.is_integer() && value.ty.is_pointer());
        let mut value = match offset {
            Some(offset) => cast(number(offset, place), ty),
            None => cast(value, ty),
        };
        value.place = place;
        Ok(Operand::Value(value))
    }

    /// The bytes from address 0 to a member of what would be there: `&((T *)0)->m`, with which programs spell
    /// `offsetof`.
    pub(crate) fn offset_from_null(&self, pointer: &Expr) -> Option<i64> {
        match &pointer.kind {
            ExprKind::Const(0) => Some(0),
            ExprKind::Cast(inner) => self.offset_from_null(inner),
            ExprKind::AddressOf(lvalue) => self.place_from_null(lvalue),
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Function(_)
            | ExprKind::Load(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Conditional(..)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Update { .. }
            | ExprKind::Checked(..)
            | ExprKind::New(_)
            | ExprKind::Call(..)
            | ExprKind::Statement(_) => None,
        }
    }

    fn place_from_null(&self, lvalue: &Lvalue) -> Option<i64> {
        match &lvalue.kind {
            LvalueKind::Deref(pointer) => self.offset_from_null(pointer),
            LvalueKind::Member(inner, index) => {
                let known = self.structure(&inner.ty)?;
                let offset = known.layout.as_ref()?.offsets.get(*index)?;
                Some(self.place_from_null(inner)? + *offset as i64)
            }
            LvalueKind::Element(inner, index) => {
                let (size, _) = self.layout(&lvalue.ty)?;
                let index = fold(index).ok()?;
                self.place_from_null(inner)?
                    .checked_add(index.checked_mul(size as i64)?)
            }
            LvalueKind::Object(_) | LvalueKind::Local(_) | LvalueKind::Bits(..) => None,
        }
    }
}
