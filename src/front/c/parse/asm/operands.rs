//! The operands of inline assembly: where they are, and what instructions read and write there.
//!
//! A register is a variable of its own, which is assigned the input before the first instruction and is
//! assigned to the output after the last one. Operands that are in the same register share it. Each
//! expression is evaluated once, those of the outputs first, in the order of the text; where an output is
//! not a variable that is named, its address is what is evaluated.
//!
//! Outputs may be in the register of an input, or of the address of an operand in memory, unless they are
//! marked `&`. Which is up to the compiler, so reading one of these after such an output was written is
//! an error.

use super::Part;
use super::constraint::{Constraint, Home, constraint};
use super::table::{Condition, Flag, Register};
use super::values::bits_of;
use crate::c::check::{Checked, Checker, Operand, cast, expr, folded, unqualified};
use crate::lower::typed::{Expr, ExprKind, Initialised, LocalId, Lvalue, LvalueKind};
use crate::lower::typed::{Path, Stmt, StmtKind, Type};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A register, or a name of one.
#[allow(
    clippy::struct_excessive_bools,
    reason = "what constraints say of a register, each for itself"
)]
pub(super) struct Slot {
    pub(super) local: LocalId,
    pub(super) ty: Type,
    pub(super) register: Option<Register>,
    /// Whether it has a value, in all of its bits.
    pub(super) defined: bool,
    /// Whether the compiler takes its value afterwards, or knows that it is lost.
    pub(super) writable: bool,
    /// Whether it holds an input that another operand does not share.
    pub(super) reads_input: bool,
    pub(super) early: bool,
}

/// Where an operand is.
#[derive(Clone)]
pub(super) enum Site {
    Slot(usize),
    /// The pointer to it.
    Memory(Expr),
    Constant(Expr),
    /// A constant that is no number, such as an address.
    Unknown,
    Flag(Condition),
}

/// An operand.
pub(super) struct Entry {
    pub(super) name: Option<String>,
    pub(super) site: Site,
    pub(super) ty: Type,
    /// Where it goes after the last instruction.
    target: Option<Operand>,
}

/// Inline assembly on its way to being statements.
pub(super) struct Assembly<'c, 'a> {
    pub(super) check: &'c mut Checker<'a>,
    /// All of it.
    pub(super) place: Place,
    pub(super) entries: Vec<Entry>,
    pub(super) slots: Vec<Slot>,
    pub(super) clobbers: Vec<String>,
    /// The variables of flags, if they have values.
    pub(super) flags: BTreeMap<Flag, LocalId>,
    /// Whether an output was written that an input may share its register with.
    pub(super) overwritten: bool,
    /// The flags that anything reads.
    pub(super) wanted: BTreeSet<Flag>,
    pub(super) statements: Vec<Stmt>,
}

impl<'c, 'a> Assembly<'c, 'a> {
    /// Evaluates all operands.
    pub(super) fn of(
        check: &'c mut Checker<'a>,
        outputs: Vec<Part>,
        inputs: Vec<Part>,
        clobbers: Vec<String>,
        place: Place,
    ) -> Checked<Self> {
        let mut this = Self {
            check,
            place,
            entries: Vec::new(),
            slots: Vec::new(),
            clobbers,
            flags: BTreeMap::new(),
            overwritten: false,
            wanted: BTreeSet::new(),
            statements: Vec::new(),
        };
        for part in outputs {
            let how = this.constraint(&part, true)?;
            this.output(part, &how)?;
        }
        for part in inputs {
            let how = this.constraint(&part, false)?;
            this.input(part, how.home)?;
        }
        Ok(this)
    }

    fn constraint(&mut self, part: &Part, output: bool) -> Checked<Constraint> {
        constraint(&part.constraint, output).ok_or_else(|| {
            let message = format!(
                "the constraint `{}` of inline assembly is not supported",
                part.constraint
            );
            let note = "supported are registers (`r`, `q`, `a` to `d`, `S`, `D`), memory (`m`), constants \
                        (`i`, `n`, `e`), numbers of outputs, `+`, `=`, `&` and some flags (`=@ccz`, `=@ccc`)";
            self.check.error_with(message, part.place, note)
        })
    }

    pub(super) fn statement(&mut self, kind: StmtKind) {
        let place = self.place;
        self.statements.push(Stmt { kind, place });
    }

    /// A new variable with this value, or none yet.
    pub(super) fn variable(&mut self, ty: &Type, value: Option<Expr>) -> Checked<LocalId> {
        let Some(id) = self.check.unnamed_local(ty) else {
            let message = "inline assembly outside of functions is not supported";
            return Err(self.check.error(message, self.place));
        };
        let (init, initialised) = match value {
            Some(value) => (vec![(Path::new(), value)], Initialised::Yes),
            None => (Vec::new(), Initialised::No),
        };
        self.statement(StmtKind::Declare(id, init, initialised));
        Ok(id)
    }

    pub(super) fn local(&self, id: LocalId, ty: &Type) -> Expr {
        let lvalue = self.named(id, ty);
        expr(ExprKind::Load(Box::new(lvalue)), ty.clone(), self.place)
    }

    fn named(&self, id: LocalId, ty: &Type) -> Lvalue {
        Lvalue {
            kind: LvalueKind::Local(id),
            ty: ty.clone(),
            place: self.place,
        }
    }

    pub(super) fn assign(&mut self, id: LocalId, ty: &Type, value: Expr) {
        let into = Box::new(self.named(id, ty));
        let kind = ExprKind::Assign(into, Box::new(value));
        let all = expr(kind, ty.clone(), self.place);
        self.statement(StmtKind::Expr(all));
    }

    fn output(&mut self, part: Part, how: &Constraint) -> Checked<()> {
        let place = part.operand.place();
        let Operand::Place(lvalue, constant) = part.operand else {
            let message = "an output of inline assembly must be an object";
            return Err(self.check.error(message, place));
        };
        let lvalue = self.evaluated(lvalue)?;
        let ty = unqualified(&lvalue.ty);
        let is_local = matches!(lvalue.kind, LvalueKind::Local(_));
        let target = Operand::Place(lvalue, constant);
        let (site, target) = match how.home {
            Home::Memory => (Site::Memory(self.pointer_to(target)?), None),
            Home::Anywhere if !is_local => {
                let message =
                    "whether this output is in memory or in a register is up to the compiler";
                let note = "write `\"+m\"` or `\"+r\"`: the accesses differ";
                return Err(self.check.error_with(message, part.place, note));
            }
            Home::Flag(condition) => (Site::Flag(condition), Some(target)),
            Home::Register(register) => (
                Site::Slot(self.output_slot(&target, &ty, register, how)?),
                Some(target),
            ),
            Home::Anywhere => (
                Site::Slot(self.output_slot(&target, &ty, None, how)?),
                Some(target),
            ),
            Home::Constant | Home::RegisterOrConstant | Home::SameAs(_) => {
                let message = "an output of inline assembly cannot be a constant";
                return Err(self.check.error(message, part.place));
            }
        };
        self.entries.push(Entry {
            name: part.name,
            site,
            ty,
            target,
        });
        Ok(())
    }

    fn output_slot(
        &mut self,
        target: &Operand,
        ty: &Type,
        register: Option<Register>,
        how: &Constraint,
    ) -> Checked<usize> {
        self.scalar(ty, target.place())?;
        let value = if how.read {
            Some(self.check.value(target.clone())?)
        } else {
            None
        };
        let taken = |slot: &Slot| register.is_some() && slot.register == register;
        if self.slots.iter().any(taken) {
            let message = "two outputs of inline assembly are in one register";
            return Err(self.check.error(message, target.place()));
        }
        let defined = value.is_some();
        let local = self.variable(ty, value)?;
        self.slots.push(Slot {
            local,
            ty: ty.clone(),
            register,
            defined,
            writable: true,
            reads_input: false,
            early: how.early,
        });
        Ok(self.slots.len() - 1)
    }

    fn input(&mut self, part: Part, home: Home) -> Checked<()> {
        let mut ty = unqualified(&self.check.type_of(&part.operand));
        let site = match home {
            Home::Memory => Site::Memory(self.pointer_to(part.operand)?),
            Home::SameAs(which) => {
                let value = self.scalar_value(part.operand)?;
                ty = value.ty.clone();
                let same = self.slot_named(&which, part.place)?;
                Site::Slot(self.shared(same, value, part.place)?)
            }
            Home::Constant | Home::RegisterOrConstant | Home::Register(_) | Home::Anywhere => {
                let value = self.scalar_value(part.operand)?;
                ty = value.ty.clone();
                match (&home, folded(&value)) {
                    (Home::Constant | Home::RegisterOrConstant, Ok(_)) => Site::Constant(value),
                    (Home::Constant, Err(_)) => Site::Unknown,
                    (Home::Register(Some(register)), _) => {
                        Site::Slot(self.fixed(*register, value, part.place)?)
                    }
                    _ => Site::Slot(self.input_slot(value, None)?),
                }
            }
            Home::Flag(_) => {
                let message = "an input of inline assembly cannot be a flag";
                return Err(self.check.error(message, part.place));
            }
        };
        self.entries.push(Entry {
            name: part.name,
            site,
            ty,
            target: None,
        });
        Ok(())
    }

    /// A value in a register that no output shares.
    fn input_slot(&mut self, value: Expr, register: Option<Register>) -> Checked<usize> {
        let ty = value.ty.clone();
        let local = self.variable(&ty, Some(value))?;
        self.slots.push(Slot {
            local,
            ty,
            register,
            defined: true,
            writable: false,
            reads_input: true,
            early: false,
        });
        Ok(self.slots.len() - 1)
    }

    /// An input in this register, which may also be that of an output.
    fn fixed(&mut self, register: Register, value: Expr, place: Place) -> Checked<usize> {
        let here = |slot: &Slot| slot.register == Some(register);
        match self.slots.iter().position(here) {
            Some(same) => self.shared(same, value, place),
            None => self.input_slot(value, Some(register)),
        }
    }

    /// An input in the register of an output. The wider of the two says how wide the variable is.
    fn shared(&mut self, same: usize, value: Expr, place: Place) -> Checked<usize> {
        let slot = &self.slots[same];
        if slot.defined {
            let message = "two inputs of inline assembly are in one register";
            return Err(self.check.error(message, place));
        }
        let (has, wanted) = (bits_of(&value.ty), bits_of(&slot.ty));
        let fits = has >= wanted || folded(&value).is_ok_and(|constant| constant >= 0);
        if !fits {
            let message =
                format!("this input has {has} bits, and the output in the same register {wanted}");
            return Err(self.check.error_with(
                message,
                place,
                "convert it to the type of the output",
            ));
        }
        let (local, ty) = if has > wanted {
            let ty = value.ty.clone();
            (self.variable(&ty, Some(value))?, ty)
        } else {
            let (local, ty) = (slot.local, slot.ty.clone());
            self.is_bool_as(&ty, &value, place)?;
            self.assign(local, &ty, cast(value, &ty));
            (local, ty)
        };
        let slot = &mut self.slots[same];
        (slot.local, slot.ty, slot.defined) = (local, ty, true);
        Ok(same)
    }

    /// The register of the output with this number or name.
    fn slot_named(&mut self, which: &str, place: Place) -> Checked<usize> {
        let number = which.parse().ok();
        let named = |entry: &Entry| entry.name.as_deref() == Some(which);
        let at = number.or_else(|| self.entries.iter().position(named));
        if let Some(Entry {
            site: Site::Slot(slot),
            target: Some(_),
            ..
        }) = at.and_then(|at| self.entries.get(at))
        {
            return Ok(*slot);
        }
        let message = format!("`{which}` is no output in a register");
        Err(self.check.error(message, place))
    }

    fn scalar_value(&mut self, operand: Operand) -> Checked<Expr> {
        let value = self.check.value(operand)?;
        let value = self.check.with_texts(value);
        self.scalar(&value.ty, value.place)?;
        Ok(value)
    }

    fn scalar(&mut self, ty: &Type, place: Place) -> Checked<()> {
        if ty.is_integer() || ty.is_pointer() {
            return Ok(());
        }
        let shown = self.check.show(ty);
        let message = format!("an operand of inline assembly in a register cannot be `{shown}`");
        Err(self.check.error(message, place))
    }

    /// The pointer to an operand in memory, evaluated once.
    fn pointer_to(&mut self, operand: Operand) -> Checked<Expr> {
        let operand = match operand {
            Operand::Place(lvalue, constant) => Operand::Place(self.evaluated(lvalue)?, constant),
            other @ (Operand::Value(_)
            | Operand::Temporary(..)
            | Operand::Function(..)
            | Operand::Library(..)
            | Operand::Text(..)) => other,
        };
        let place = operand.place();
        let address = self.check.address_of(operand, place)?;
        self.check.value(address)
    }

    /// The same object, by an address that was evaluated, if it has to be.
    fn evaluated(&mut self, lvalue: Lvalue) -> Checked<Lvalue> {
        if is_fixed(&lvalue) {
            return Ok(lvalue);
        }
        let ty = lvalue.ty.clone();
        let place = lvalue.place;
        let constant = false.into();
        let address = self
            .check
            .address_of(Operand::Place(lvalue, constant), place)?;
        let address = self.check.value(address)?;
        let pointer = address.ty.clone();
        let local = self.variable(&pointer, Some(address))?;
        let kind = LvalueKind::Deref(Expr {
            place,
            ..self.local(local, &pointer)
        });
        Ok(Lvalue { kind, ty, place })
    }

    /// Assigns the outputs. All of them must have been written.
    pub(super) fn finish(&mut self) -> Checked<()> {
        for at in 0..self.entries.len() {
            let Some(target) = self.entries[at].target.take() else {
                continue;
            };
            let ty = self.entries[at].ty.clone();
            let value = match self.entries[at].site.clone() {
                Site::Slot(slot) if !self.slots[slot].defined => {
                    let message = "inline assembly leaves this output without a value";
                    return Err(self.check.error(message, target.place()));
                }
                Site::Slot(slot) => {
                    let slot = &self.slots[slot];
                    let value = self.local(slot.local, &slot.ty);
                    self.is_bool_as(&ty, &value, target.place())?;
                    cast(value, &ty)
                }
                Site::Flag(condition) => cast(self.condition(condition, "an output")?, &ty),
                Site::Memory(_) | Site::Constant(_) | Site::Unknown => continue,
            };
            let assigned = self.check.assign(target, Operand::Value(value))?;
            let mut assigned = self.check.value(assigned)?;
            assigned.place = self.place;
            self.statement(StmtKind::Expr(assigned));
        }
        Ok(())
    }
}

/// Whether the object is the same wherever it is named.
fn is_fixed(lvalue: &Lvalue) -> bool {
    match &lvalue.kind {
        LvalueKind::Object(_) | LvalueKind::Local(_) => true,
        LvalueKind::Deref(_) => false,
        LvalueKind::Member(base, _) | LvalueKind::Bits(base, _) => is_fixed(base),
        LvalueKind::Element(base, index) => is_fixed(base) && folded(index).is_ok(),
    }
}
