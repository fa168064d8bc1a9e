//! Where paths meet, and where loops begin: locals that may have several values go into registers.
//!
//! A local that has one known value on all paths keeps it; any other one is put into its register at
//! the end of each path.

use super::Lowering;
use super::code::Loc;
use super::env::{Env, Slot, SlotId, State};
use super::scan::Seen;
use super::value::{UNSET, Value};
use crate::lower::typed::{LibraryType, Type, TypeKind};
use crate::program::{Op, RegId};
use crate::text::Place;

impl Lowering<'_> {
    /// The register of a scalar.
    pub(super) fn register_of(&mut self, id: SlotId) -> RegId {
        if let Some(register) = self.registers.get(&id) {
            return *register;
        }
        let name = self.slot_name(id);
        let is_temporary = self
            .env()
            .is_some_and(|env| self.is_temporary_local(env, id));
        let register = if is_temporary {
            self.code.lasting(&name)
        } else {
            self.code.register(&name)
        };
        self.registers.insert(id, register);
        register
    }

    pub(super) fn slot_name(&self, id: SlotId) -> String {
        let frames = self.state.iter().flat_map(|state| &state.env.frames);
        let mut frames = frames.filter(|frame| frame.activation == id.activation);
        let local = frames
            .next()
            .map(|frame| &self.unit.functions[frame.function.0].locals[id.local.0]);
        match local {
            Some(local) if local.name.is_empty() => "$v".to_owned(),
            Some(local) if self.scalars(&local.ty).len() > 1 => {
                format!("{}.{}", local.name, self.part_name(&local.ty, id.index))
            }
            Some(local) => local.name.clone(),
            None => "$v".to_owned(),
        }
    }

    /// What a scalar of a variable is called: its number, or of a word the part's own name.
    fn part_name(&self, ty: &Type, index: usize) -> String {
        match ty.kind {
            TypeKind::Struct(id) if self.unit.structs[id.0].word => {
                self.unit.structs[id.0].members[index].name.clone()
            }
            _ => index.to_string(),
        }
    }

    /// Puts a known scalar into its register at the end of a path.
    pub(super) fn settle(&mut self, state: &mut State, id: SlotId, place: Place) {
        let Some(Slot::Known(value)) = state.env.slot(id).cloned() else {
            return;
        };
        let ty = self.slot_type(&state.env, id);
        // Its name, and a variable that it points to, are looked up in the path's own frames.
        let before = self.state.replace(state.clone());
        let register = self.register_of(id);
        let bits = self.dynamic_of(&Value::Known(value), ty.as_ref(), place);
        self.state = before;
        let origin = self.origin(place);
        self.solo = false;
        state.at = self.code.assign(state.at, register, bits, false, origin);
        if let Some(slot) = state.env.slot_mut(id) {
            *slot = in_register(slot.is_doubtful());
        }
    }

    pub(super) fn slot_type(&self, env: &Env, id: SlotId) -> Option<Type> {
        let mut frames = env.frames.iter();
        let frame = frames.find(|frame| frame.activation == id.activation)?;
        let local = &self.unit.functions[frame.function.0].locals[id.local.0];
        self.scalars(&local.ty).get(id.index).cloned()
    }

    /// Whether a scalar is a part of a larger variable.
    fn is_part(&self, env: &Env, id: SlotId) -> bool {
        let mut frames = env.frames.iter();
        let frame = frames.find(|frame| frame.activation == id.activation);
        frame.is_some_and(|frame| {
            let local = &self.unit.functions[frame.function.0].locals[id.local.0];
            matches!(local.ty.kind, TypeKind::Struct(_) | TypeKind::Array(..))
                && !self.is_word(&local.ty)
        })
    }

    /// Whether it is a scalar of a variable that nothing uses any more where paths meet on which it differs.
    pub(super) fn is_temporary_local(&self, env: &Env, id: SlotId) -> bool {
        let mut frames = env.frames.iter();
        let frame = frames.find(|frame| frame.activation == id.activation);
        frame
            .is_some_and(|frame| self.unit.functions[frame.function.0].locals[id.local.0].temporary)
    }

    /// One path that continues all of these.
    pub(super) fn join(&mut self, mut states: Vec<State>, place: Place) -> Option<State> {
        if states.len() < 2 {
            return states.pop();
        }
        for id in states[0].env.all() {
            let first = states[0].env.slot(id).cloned();
            let agree = states
                .iter()
                .all(|state| state.env.slot(id) == first.as_ref());
            if !agree && self.is_temporary_local(&states[0].env, id) {
                for state in &mut states {
                    if let Some(slot) = state.env.slot_mut(id) {
                        *slot = Slot::Known(UNSET);
                    }
                }
            } else if !agree {
                let mut slots = states.iter().filter_map(|state| state.env.slot(id));
                let doubtful = slots.any(Slot::is_doubtful);
                for state in &mut states {
                    self.settle(state, id, place);
                    if let Some(slot) = state.env.slot_mut(id) {
                        *slot = in_register(doubtful);
                    }
                }
            }
        }
        let origin = self.origin(place);
        let at = self.code.location(origin);
        for state in &states {
            self.code.edge(state.at, Op::Skip, at, origin);
        }
        states.pop().map(|state| State { at, ..state })
    }

    /// Puts what a loop may change into registers.
    pub(super) fn generalise(&mut self, seen: &Seen, everything: bool, place: Place) {
        let Some(mut state) = self.state.take() else {
            return;
        };
        let innermost = state.env.frames.last().map(|frame| frame.activation);
        for id in state.env.all() {
            let own = Some(id.activation) == innermost;
            let mut frames = state.env.frames.iter();
            let frame = frames.find(|frame| frame.activation == id.activation);
            let addressed = frame.is_some_and(|frame| {
                self.unit.functions[frame.function.0].locals[id.local.0].addressed
            });
            let changes = own && (everything || seen.assigned.contains(&id.local))
                || addressed && (everything || seen.reaches_out);
            // No thread is created in a loop that is not unrolled, so handles stay what they are; one
            // that is assigned all the same is found where the loop closes.
            let ty = self.slot_type(&state.env, id);
            let handle = ty.is_some_and(|ty| ty.kind == TypeKind::Library(LibraryType::Thread));
            if changes && !handle && !(own && seen.declared.contains(&id.local)) {
                self.settle(&mut state, id, place);
                // A structure that is copied may have members without a value.
                if self.is_part(&state.env, id)
                    && let Some(slot) = state.env.slot_mut(id)
                {
                    *slot = Slot::Perhaps;
                }
            }
        }
        self.state = Some(state);
    }

    /// An edge back to the head of a loop, where this was known.
    pub(super) fn close(
        &mut self,
        mut state: State,
        head: Loc,
        known: &Env,
        dead: &Seen,
        place: Place,
    ) {
        let innermost = state.env.frames.last().map(|frame| frame.activation);
        for id in known.all() {
            if Some(id.activation) == innermost && dead.declared.contains(&id.local) {
                continue;
            }
            match (known.slot(id), state.env.slot(id)) {
                (Some(Slot::Register | Slot::Perhaps), Some(Slot::Known(_))) => {
                    self.settle(&mut state, id, place);
                }
                // What has no value here, but had one at the head, was declared on the way, and does
                // not live at the head.
                (Some(Slot::Register | Slot::Perhaps), Some(Slot::Register | Slot::Perhaps)) => {}
                (before, now) if before == now => {}
                _ => self.error(
                    "this loop changes a variable in a way that is not supported",
                    place,
                ),
            }
        }
        let origin = self.origin(place);
        self.code.edge(state.at, Op::Skip, head, origin);
    }
}

/// What is known of a scalar in its register.
fn in_register(doubtful: bool) -> Slot {
    if doubtful {
        Slot::Perhaps
    } else {
        Slot::Register
    }
}
