//! Word accesses of the attacker.
//!
//! ```text
//! (begin)   all stores of the access that has the store of an attack: none is executed, and the copy goes on after it
//! (delay)   in the copy, all stores of an access, or
//! (direct)  none of them, if no cell is buffered
//! (last)    one of the loads, or all stores: the rest of the access comes after it, and then the attacker waits
//! ```
//!
//! Each is an atomic block. A way on which some cell turns out to be buffered ends inside it.

use super::super::{Level, Role, constant};
use super::{Attacker, Looked, any_of, free};
use crate::program::{AccessKind, Expr, LocId, Op, RegId, Site};

/// What the stores of a word access do in the copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stores {
    Delayed,
    Direct,
}

impl Attacker<'_, '_> {
    /// The instructions of the word access that this one is a part of.
    pub(super) fn word_of(&self, site: Site) -> Option<Vec<Site>> {
        let word = self.writer.program.thread(self.thread).word(site.instr)?;
        let thread = self.thread;
        let sites = word.into_iter().map(|instr| Site { thread, instr });
        Some(sites.collect())
    }

    /// (begin) of a word access by its store to this address.
    pub(super) fn begin_word(&mut self, word: &[Site], store: Site, addr: &Expr<RegId>) {
        let Some((&begin, parts)) = word.split_first() else {
            return;
        };
        let like = self.writer.program.instruction(begin);
        let mut at = self.writer.location(self.thread, like);
        self.writer
            .chain(begin, like.from)
            .act(Op::AtomicBegin, Role::Executed)
            .assign(self.cell, addr.clone())
            .assign(self.success.store, Expr::Const(store.instr.0 as i32))
            .to(at);
        for &site in parts {
            let to = self.after_part(site);
            self.part(site, at, to, Stores::Delayed);
            at = to;
        }
    }

    /// A word access in the copy.
    pub(super) fn word(&mut self, begin: Site) {
        let Some(word) = self.word_of(begin) else {
            return;
        };
        let stores = |&site: &Site| self.writer.program.instruction(site).op.is_store();
        let ways = match (
            word.iter().any(stores),
            self.writer.model.relaxes_store_store(),
        ) {
            (true, true) => &[Stores::Delayed, Stores::Direct][..],
            (true, false) => &[Stores::Delayed],
            (false, _) => &[Stores::Direct],
        };
        let like = self.writer.program.instruction(begin);
        let from = self.copy[like.from.index()];
        for &way in ways {
            let mut at = self.writer.location(self.thread, like);
            self.writer
                .chain(begin, from)
                .act(Op::AtomicBegin, Role::Executed)
                .to(at);
            for (number, &site) in word.iter().enumerate().skip(1) {
                let to = self.after_part(site);
                let looked = self.part(site, at, to, way);
                if let Some(looked) = looked.filter(|_| way == Stores::Direct && self.is_last(site))
                {
                    self.last_part(site, &looked, &word[number + 1..]);
                }
                at = to;
            }
        }
    }

    /// Where an instruction of a word access in the copy leads: a new location, or out of the access.
    fn after_part(&mut self, site: Site) -> LocId {
        let like = self.writer.program.instruction(site);
        if like.op == Op::AtomicEnd {
            self.copy[self.writer.target(site).index()]
        } else {
            self.writer.location(self.thread, like)
        }
    }

    /// An instruction of a word access in the copy.
    fn part(&mut self, site: Site, from: LocId, to: LocId, stores: Stores) -> Option<Looked> {
        let op = self.writer.program.instruction(site).op.clone();
        let Some((_, kind)) = op.access() else {
            self.writer
                .chain(site, from)
                .act(op.clone(), Role::Executed)
                .to(to);
            return None;
        };
        let is_delayed = op.is_store() && stores == Stores::Delayed;
        let looked = self.look(site, from, !is_delayed);
        if let AccessKind::Load { into } = kind
            && let Some((is_buffered, value)) = &looked.buffered
        {
            self.writer
                .chain(site, looked.at)
                .assume(is_buffered.clone())
                .act(value.get(into), Role::Executed)
                .to(to);
        }
        if let AccessKind::Store { value } = kind
            && is_delayed
        {
            self.delay(site, value, looked.at, to);
            return None;
        }
        let fence = self.fence.filter(|_| op.is_store());
        self.memory(site, &looked, fence, to);
        Some(looked)
    }

    /// (last) by a part of a word access, and the rest of it. All stores of the access raise the levels of their cells, as
    /// their addresses are known before the first.
    fn last_part(&mut self, site: Site, looked: &Looked, rest: &[Site]) {
        let op = self.writer.program.instruction(site).op.clone();
        let (level, fence) = if op.is_store() {
            (Level::Stored, self.fence)
        } else {
            (Level::Loaded, None)
        };
        let chosen = any_of(self.success.store, self.stores_before(site));
        let hb = constant(self.writer.hb);
        let parts = self.writer.program.thread(self.thread).together(site.instr);
        let parts = parts.into_iter().map(|instr| Site { instr, ..site });
        let addrs = parts.filter_map(|part| self.writer.program.instruction(part).op.address());
        let raised: Vec<Expr<RegId>> = addrs.map(|addr| self.writer.level(addr)).collect();
        let like = self.writer.program.instruction(site);
        let mut at = self.writer.location(self.thread, like);
        let mut chain = self.writer.chain(site, looked.at);
        if let Some(free) = free(looked, fence) {
            chain = chain.assume(free);
        }
        let chain = chain
            .assume(chosen)
            .assign(self.success.last, Expr::Const(site.instr.0 as i32))
            .store(hb, Expr::Const(1));
        raised
            .into_iter()
            .fold(chain, |chain, cell| {
                chain.store(cell, Expr::Const(level as i32))
            })
            .act(op, Role::Executed)
            .to(at);
        for &site in rest {
            let like = self.writer.program.instruction(site);
            let to = if like.op == Op::AtomicEnd {
                self.waiting
            } else {
                self.writer.location(self.thread, like)
            };
            self.part(site, at, to, Stores::Direct);
            at = to;
        }
    }
}
