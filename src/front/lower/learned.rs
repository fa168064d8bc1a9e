//! What walks over a program find out that the next ones have to know from their beginning.

use super::Lowering;
use super::allocate::Site;
use super::ending::AtEnds;
use super::fixed::Changing;
use super::rounds::Rounds;
use super::typed::{FunctionId, LocalId, Member, StructId, Type, TypeKind, Unit};
use super::view::Rep;
use crate::text::Place;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What a walk finds out that the next one has to know.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is found out on its own"
)]
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Learned {
    /// Variables that have to be in memory.
    pub(super) in_memory: BTreeSet<(FunctionId, LocalId)>,
    /// The cells that change once there are other threads (`fixed`).
    pub(super) changing: Changing,
    /// Variables in memory whose end has to be marked.
    pub(super) ends: BTreeSet<(FunctionId, LocalId)>,
    /// Loops that allocate memory and whose number of iterations is not known, and allocations that
    /// jumps backwards repeat.
    pub(super) repeated: BTreeSet<Place>,
    /// Whether arbitrary values must not be the number that marks memory without contents.
    pub(super) excludes_unwritten: bool,
    /// Scalars that pointers at run time may see in cells that are represented otherwise (`view`).
    pub(super) recast: BTreeSet<Rep>,
    /// What pointers in memory may be stored as pointers to that do not lead there (`view`).
    pub(super) doubtful: BTreeSet<Type>,
    /// The structures to which pointers may lead elsewhere, and the cells before the member that they are made from
    /// (`container`).
    pub(super) strays: BTreeSet<(StructId, i64)>,
    /// What pointers point to that are converted to pointers to something else at run time (`fixed`).
    pub(super) reshaped: BTreeSet<Type>,
    /// Whether pointers lead from members to what is around them, or come to be of another type unconverted (`fixed`).
    pub(super) mixes: bool,
    /// Whether there are texts that are not known.
    pub(super) has_any_text: bool,
    /// Whether a thread looks at `errno`, or sets it (`error_number`).
    pub(super) asks_error: bool,
    /// Functions whose recursion constants do not end.
    pub(super) recursive: BTreeSet<FunctionId>,
    /// Whether a thread says that it will ask for barriers of the whole process (`membarrier`).
    pub(super) registers: bool,
    /// Whether addresses become numbers (`address`).
    pub(super) numbered: bool,
    /// Whether it is not certain everywhere which thread a handle in memory stands for (`place`).
    pub(super) handles_vary: bool,
    /// Where grace periods of RCU are (`grace`).
    pub(super) periods: BTreeSet<Place>,
    /// The structures whose last member has no length, and the lengths that objects give it.
    pub(super) tails: BTreeSet<(StructId, u32)>,
    /// What pointers to memory are converted to whose type is not written where it is allocated (`allocate`).
    pub(super) allocated: BTreeMap<Site, BTreeSet<Type>>,
    /// What is called at the ends of threads and of the process (`ending`).
    pub(super) at_ends: AtEnds,
    /// The words of memory, and whether each is atomic, if one of them is a futex and it is not known which (`futex`).
    pub(super) words: Option<BTreeMap<i64, bool>>,
    /// Which threads of the kernel execute something again (`rounds`).
    pub(super) rounds: Rounds,
}

impl Learned {
    /// The unit with a structure for each length of a last member; they come after its own ones.
    pub(super) fn grown<'u>(&self, unit: &'u Unit) -> Cow<'u, Unit> {
        let mut unit = Cow::Borrowed(unit);
        for (id, length) in &self.tails {
            let mut grown = unit.structs[id.0].clone();
            let size = grown.tail().and_then(|element| unit.layout(element));
            if let Some(Member { ty, .. }) = grown.members.last_mut()
                && let TypeKind::Array(_, own) = &mut ty.kind
            {
                *own = *length;
            }
            if let (Some(layout), Some((size, _))) = (&mut grown.layout, size) {
                let begin = layout.offsets.last().copied().unwrap_or(0);
                let end = begin + size * u64::from(*length);
                layout.size = layout.size.max(end).next_multiple_of(layout.align);
            }
            unit.to_mut().structs.push(grown);
        }
        unit
    }

    /// For each of those structures the one that it has grown from.
    pub(super) fn grown_from(&self, unit: &Unit) -> BTreeMap<StructId, StructId> {
        let first = unit.structs.len() - self.tails.len();
        let all = (first..).map(StructId);
        all.zip(self.tails.iter().map(|(id, _)| *id)).collect()
    }
}

impl Lowering<'_> {
    /// What this walk and the earlier ones found out.
    pub(super) fn learned_now(&mut self) -> Learned {
        self.note_words();
        let (earlier, mut now) = (self.learned, std::mem::take(&mut self.now));
        now.excludes_unwritten |= self.reserved.may_occur && self.reserved.is_checked;
        now.in_memory.extend(earlier.in_memory.iter().copied());
        for (region, cells) in &earlier.changing {
            let all = now.changing.entry(region.clone()).or_default();
            all.extend(cells.iter().copied());
        }
        now.ends.extend(earlier.ends.iter().copied());
        now.repeated.extend(earlier.repeated.iter().copied());
        now.excludes_unwritten |= earlier.excludes_unwritten;
        now.recast.extend(earlier.recast.iter().copied());
        now.doubtful.extend(earlier.doubtful.iter().cloned());
        now.strays.extend(earlier.strays.iter().copied());
        now.reshaped.extend(earlier.reshaped.iter().cloned());
        now.tails.extend(earlier.tails.iter().copied());
        for (site, types) in &earlier.allocated {
            let all = now.allocated.entry(site.clone()).or_default();
            all.extend(types.iter().cloned());
        }
        now.mixes |= earlier.mixes;
        now.has_any_text |= earlier.has_any_text;
        now.asks_error |= earlier.asks_error;
        now.recursive.extend(earlier.recursive.iter().copied());
        now.registers |= earlier.registers;
        now.numbered |= earlier.numbered;
        now.periods.extend(earlier.periods.iter().copied());
        now.handles_vary |= earlier.handles_vary;
        now.at_ends.extend(&earlier.at_ends);
        if now.words.is_none() {
            now.words.clone_from(&earlier.words);
        }
        now.rounds = self.rounds_after(&now.rounds);
        now
    }
}
