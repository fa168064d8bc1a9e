//! Types as they are written in messages.

use super::{Held, Ptr, Slot, Ty};
use std::fmt;

/// The types by their names; structures and enumerations by what this yields for their numbers.
pub(in crate::rust) struct Shown<'n>(
    pub(in crate::rust) &'n Ty,
    pub(in crate::rust) &'n dyn Fn(usize) -> String,
);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.1;
        let list = |f: &mut fmt::Formatter<'_>, types: &[Ty]| {
            for (at, ty) in types.iter().enumerate() {
                let ty = Shown(ty, names);
                write!(f, "{}{ty}", if at > 0 { ", " } else { "" })?;
            }
            Ok(())
        };
        match self.0 {
            Ty::Unit => f.write_str("()"),
            Ty::Never => f.write_str("!"),
            Ty::Bool => f.write_str("bool"),
            Ty::Char => f.write_str("char"),
            Ty::Int { signed, size, bits } => {
                f.write_str(if *signed { "i" } else { "u" })?;
                match size {
                    true => f.write_str("size"),
                    false => write!(f, "{bits}"),
                }
            }
            Ty::Ordering => f.write_str("Ordering"),
            Ty::Atomic(ty) => write!(f, "atomic {}", Shown(ty, names)),
            Ty::Ptr(Ptr::Ref, ty) => write!(f, "&{}", Shown(ty, names)),
            Ty::Ptr(Ptr::Raw, ty) => write!(f, "*mut {}", Shown(ty, names)),
            Ty::Ptr(Ptr::NonNull, ty) => write!(f, "NonNull<{}>", Shown(ty, names)),
            Ty::Ptr(Ptr::Rc, ty) => write!(f, "Rc<{}>", Shown(ty, names)),
            Ty::Ptr(Ptr::Arc, ty) => write!(f, "Arc<{}>", Shown(ty, names)),
            Ty::Ptr(Ptr::Box, ty) => write!(f, "Box<{}>", Shown(ty, names)),
            Ty::Adt(id, arguments) => {
                f.write_str(&names(*id))?;
                if arguments.is_empty() {
                    return Ok(());
                }
                f.write_str("<")?;
                list(f, arguments)?;
                f.write_str(">")
            }
            Ty::Const(value) => write!(f, "{value}"),
            Ty::Tuple(types) => {
                f.write_str("(")?;
                list(f, types)?;
                f.write_str(")")
            }
            Ty::Array(ty, count) => write!(f, "[{}; {count}]", Shown(ty, names)),
            Ty::Handle(ty) => write!(f, "JoinHandle<{}>", Shown(ty, names)),
            Ty::Handles(ty) => write!(f, "Vec<JoinHandle<{}>>", Shown(ty, names)),
            Ty::Mutex(ty) => write!(f, "Mutex<{}>", Shown(ty, names)),
            Ty::RwLock(ty) => write!(f, "RwLock<{}>", Shown(ty, names)),
            Ty::Guard(held, ty) => {
                f.write_str(match held {
                    Held::Mutex => "Mutex",
                    Held::Read => "RwLockRead",
                    Held::Write => "RwLockWrite",
                })?;
                write!(f, "Guard<{}>", Shown(ty, names))
            }
            Ty::Condvar => f.write_str("Condvar"),
            Ty::Cell(ty) => write!(f, "UnsafeCell<{}>", Shown(ty, names)),
            Ty::Slot(Slot::Manual, ty) => write!(f, "ManuallyDrop<{}>", Shown(ty, names)),
            Ty::Slot(Slot::Cell, ty) => write!(f, "Cell<{}>", Shown(ty, names)),
            Ty::Slot(Slot::Uninit, ty) => write!(f, "MaybeUninit<{}>", Shown(ty, names)),
            Ty::Scope => f.write_str("Scope"),
            Ty::Model => f.write_str("Builder"),
            Ty::Thread => f.write_str("Thread"),
            Ty::Failure => f.write_str("an error that cannot occur"),
            Ty::Text => f.write_str("&str"),
            Ty::Called(_) | Ty::Closure(_) => f.write_str("a closure"),
            Ty::Dyn(_) => f.write_str("dyn _"),
            Ty::Var(_) => f.write_str("_"),
        }
    }
}
