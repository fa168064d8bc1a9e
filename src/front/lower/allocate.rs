//! Memory that the program allocates: how much, and for objects of which type.
//!
//!   (T *)malloc(8)   ─▶ an array of as many `T` as fit
//!   (T *)malloc(n)   ─▶ n < sizeof (T): not covered; room for one: a `T`; room for two: …
//!   void *p = malloc(8); … (T *)p   ─▶ the same, once a walk has seen the conversion
//!   realloc(p, n)    ─▶ q = malloc(n); memcpy(q, p, the smaller of both sizes); free(p); q
//!
//! The type of a block decides which cells it has, and nothing else: accesses as another type are modelled exactly, or
//! refused (`view`). So it may be chosen freely, and is chosen such that most accesses are of whole cells: the type that
//! the address of the block is converted to, or that pointers of unknown value are converted to if one of these types
//! has the size of the block. A block that is converted to nothing consists of bytes. What is allocated as a structure,
//! and with more bytes than that has, may be another one that begins with it.
//!
//! **Incomplete:** an execution is not covered that allocates more than [`MOST`] elements where their number is known at
//! run time only, or less than one. `realloc` always moves: a pointer to the old block leads to freed memory.

use super::Lowering;
use super::arith;
use super::bounds::between;
use super::code::Single;
use super::layout::bytes;
use super::objects::Storage;
use super::value::{Value, binary, c, unsigned_long};
use crate::lower::operation::{Meaning, Operation};
use crate::lower::typed::{self, Callee, Expr, ExprKind, StructId, Type, TypeKind};
use crate::program::{self, BinaryOp, Fault, RegId};
use crate::text::{Diagnostic, Place};

type Bits = program::Expr<RegId>;

/// What `posix_memalign` does after all.
static ALLOCATE: Operation = Operation {
    name: "posix_memalign",
    meaning: Meaning::Malloc,
};

/// A block whose size is known at run time only has no more elements.
const MOST: i64 = 16;
/// A block whose size is known has no more elements.
const MOST_KNOWN: i64 = 65_536;

/// A call that allocates memory of a type that is not written there: the calls that lead to it, and itself.
pub(super) type Site = Vec<Place>;

/// What is allocated.
#[derive(Clone)]
struct Request<'t> {
    /// The name of the object.
    name: Option<&'t str>,
    element: &'t Type,
    storage: Storage,
    place: Place,
}

impl Lowering<'_> {
    /// The address of memory that is allocated as this type; `None` if the expression allocates none.
    pub(super) fn allocation(&mut self, e: &Expr, as_ty: &Type) -> Option<Value> {
        let element = as_ty.pointee()?;
        match &e.kind {
            ExprKind::New(name) => {
                let request = Request {
                    name: Some(name),
                    element,
                    storage: Storage::Cleared,
                    place: e.place,
                };
                let size = bytes(self.unit, element);
                Some(self.block_of(&request, size))
            }
            ExprKind::Call(Callee::Library(entry), arguments) => {
                self.allocated(entry.meaning, arguments, element, e.place)
            }
            _ => None,
        }
    }

    /// What a function returns if it allocates memory, which is for elements of this type.
    pub(super) fn allocated(
        &mut self,
        meaning: Meaning,
        arguments: &[Expr],
        element: &Type,
        place: Place,
    ) -> Option<Value> {
        let (storage, old, sizes) = match (meaning, arguments) {
            (Meaning::Malloc | Meaning::Alloca, sizes) => (Storage::Heap, None, sizes),
            (Meaning::Calloc, sizes) => (Storage::Cleared, None, sizes),
            (Meaning::AlignedAlloc, [align, size]) => {
                self.effect(align, align.place);
                (Storage::Heap, None, std::slice::from_ref(size))
            }
            (Meaning::Realloc, [old, size]) => {
                let value = self.eval(old);
                let value = self.pinned(value, std::slice::from_ref(size), old.place);
                let old = (value, old);
                (Storage::Heap, Some(old), std::slice::from_ref(size))
            }
            _ => return None,
        };
        let size = self.number_of_bytes(sizes, place);
        if self.state.is_none() {
            return Some(Value::ZERO);
        }
        let is_open =
            element.is_void() || size.known().is_some_and(|size| self.is_base(element, size));
        let site = is_open.then(|| self.site(place));
        let element = match &site {
            Some(site) => self.type_at(site, element, size.known()),
            None => element.clone(),
        };
        let request = Request {
            name: None,
            element: &element,
            storage,
            place,
        };
        let size = match size {
            Value::Unknown(size) => Value::Unknown(self.copy(size, place)),
            size @ Value::Known(_) => size,
        };
        let block = match &size {
            Value::Known(size) => self.block_of(&request, *size),
            Value::Unknown(size) => self.block_for(&request, size),
        };
        if meaning == Meaning::Alloca {
            self.ends_with_call(&block, &element, place);
        }
        if let (Some(site), Some(block)) = (site, block.known()) {
            self.untyped.insert(block, site);
        }
        if let Some((old, text)) = old {
            self.replace((old, text), (&block, &element), &size, place);
        }
        Some(block)
    }

    /// How many bytes are asked for: one number, or the product of two.
    fn number_of_bytes(&mut self, sizes: &[Expr], place: Place) -> Value {
        let ty = unsigned_long();
        let mut product = Value::Known(1);
        for (at, size) in sizes.iter().enumerate() {
            let value = self.eval(size);
            let value = self.convert(value, &size.ty, &ty, size.place);
            let value = self.pinned(value, &sizes[at + 1..], size.place);
            product = if at == 0 {
                value
            } else {
                let operation = arith::Operation {
                    op: typed::BinaryOp::Mul,
                    left: (product, &ty),
                    right: (value, &ty),
                    ty: &ty,
                };
                self.binary(operation, place)
            };
        }
        product
    }

    /// A block of so many bytes.
    fn block_of(&mut self, request: &Request<'_>, bytes: i64) -> Value {
        let Request { element, place, .. } = *request;
        let size = super::layout::bytes(self.unit, element);
        let tail = self.tail_in(element, bytes);
        let count = match tail {
            Some(_) => 1,
            None => (bytes / size.max(1)).max(i64::from(size == 0)),
        };
        let is_repeated = self.loops > 0 || self.learned.repeated.contains(&place);
        if is_repeated && self.options.heap == 0 {
            self.refuse_repetition(place);
            return Value::ZERO;
        }
        if (0..size).contains(&bytes) {
            self.error(
                "fewer bytes are allocated than an object of this type has",
                place,
            );
            return Value::ZERO;
        }
        if !(1..=MOST_KNOWN).contains(&count) {
            self.error(
                format!("a block of {count} elements is too large here"),
                place,
            );
            return Value::ZERO;
        }
        let name = match (request.name, &element.kind) {
            (Some(name), _) => name.to_owned(),
            (None, TypeKind::Struct(id)) if !self.unit.structs[id.0].name.is_empty() => {
                format!("{}#1", self.unit.structs[id.0].name)
            }
            _ => "heap#1".to_owned(),
        };
        let ty = if let (TypeKind::Struct(id), Some(tail @ 1..)) = (&element.kind, tail) {
            self.with_tail(*id, tail)
        } else if count == 1 {
            element.clone()
        } else {
            Type {
                kind: TypeKind::Array(Box::new(element.clone()), count as u32),
                atomic: false,
                volatile: false,
            }
        };
        if is_repeated {
            return self.pool(&name, &ty, request.storage, place);
        }
        let address = self.place(&name, &ty, request.storage);
        self.once_only(Single::Allocation, place);
        Value::Known(address)
    }

    /// A block of a number of bytes that is known at run time only: one for each number of elements.
    fn block_for(&mut self, request: &Request<'_>, size: &Bits) -> Value {
        let Request { element, place, .. } = *request;
        let least = bytes(self.unit, element).max(1);
        let mut rooms = vec![least];
        for _ in 0..MOST {
            rooms.push(self.next_room(element, rooms[rooms.len() - 1]));
        }
        self.limit(between(least, size, rooms[rooms.len() - 1] - 1), place);
        self.blame_limit(Fault::BlockSize);
        let mut ends = Vec::new();
        for (at, window) in rooms.windows(2).enumerate() {
            let is_last = at + 2 == rooms.len();
            let fits = if is_last {
                Value::Known(1)
            } else {
                Value::Unknown(binary(BinaryOp::Lt, size.clone(), c(window[1] as i32)))
            };
            let (yes, no) = self.split(fits, place);
            self.state = yes;
            let block = self.block_of(request, window[0]);
            if let Some(state) = self.state.take() {
                ends.push((state, vec![block]));
            }
            self.state = no;
        }
        let types = [pointer_to(element)];
        let mut joined = self.join_values(ends, &types, place);
        joined.pop().unwrap_or(Value::ZERO)
    }

    /// The least size of a block that has room for more elements than one of this size.
    fn next_room(&self, element: &Type, size: i64) -> i64 {
        match (self.tail_in(element, size), self.tail_of(element)) {
            (Some(room), Some(last)) => {
                let last = bytes(self.unit, &last).max(1);
                self.tail_begin(element) + (i64::from(room) + 1) * last
            }
            _ => size + bytes(self.unit, element).max(1),
        }
    }

    /// What the elements are of the array without a length that ends a structure.
    pub(super) fn tail_of(&self, ty: &Type) -> Option<Type> {
        match ty.kind {
            TypeKind::Struct(id) => self.unit.structs[id.0].tail().cloned(),
            _ => None,
        }
    }

    /// Where the array without a length begins that ends a structure.
    pub(super) fn tail_begin(&self, ty: &Type) -> i64 {
        let TypeKind::Struct(id) = ty.kind else {
            return 0;
        };
        let layout = self.unit.structs[id.0].layout.as_ref();
        let last = layout.and_then(|layout| layout.offsets.last());
        last.map_or(0, |last| *last as i64)
    }

    /// How many elements after a structure fit into so many bytes, if it ends with an array without a length.
    fn tail_in(&self, ty: &Type, size: i64) -> Option<u32> {
        let element = bytes(self.unit, &self.tail_of(ty)?).max(1);
        let least = bytes(self.unit, ty);
        let room = (size >= least).then(|| (size - self.tail_begin(ty)) / element)?;
        u32::try_from(room)
            .ok()
            .filter(|room| i64::from(*room) <= MOST_KNOWN)
    }

    /// The type of an object of this structure whose last member has so many elements. The next walk knows it.
    pub(super) fn with_tail(&mut self, id: StructId, count: u32) -> Type {
        self.now.tails.insert((id, count));
        let known = self
            .learned
            .tails
            .iter()
            .position(|one| *one == (id, count));
        let added = self.unit.structs.len() - self.learned.tails.len();
        let id = known.map_or(id, |at| StructId(added + at));
        Type {
            kind: TypeKind::Struct(id),
            atomic: false,
            volatile: false,
        }
    }

    /// `posix_memalign(&p, alignment, size)`, where what `p` points to decides the type. It succeeds.
    pub(super) fn allocate_at(&mut self, to: &Expr, size: &Expr, place: Place) {
        let mut to = to;
        while let ExprKind::Cast(inner) = &to.kind
            && inner.ty.pointee().is_some()
        {
            to = inner;
        }
        let Some(pointer) = to.ty.pointee().filter(|ty| ty.pointee().is_some()).cloned() else {
            self.report(
                Diagnostic::error(
                    "the type of what `posix_memalign` allocates is not known",
                    self.positions.span(place),
                )
                .note("pass the address of a pointer to the type of the elements"),
            );
            return;
        };
        let call = Expr {
            kind: ExprKind::Call(Callee::Library(&ALLOCATE), vec![size.clone()]),
            ty: pointer.clone(),
            place,
        };
        if let Some(block) = self.allocation(&call, &pointer) {
            let address = self.accessible(to);
            self.write(&address, &pointer, block, place);
        }
    }
}

pub(super) fn pointer_to(element: &Type) -> Type {
    Type {
        kind: TypeKind::Pointer(Box::new(element.clone())),
        atomic: false,
        volatile: false,
    }
}
