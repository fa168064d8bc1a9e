//! Does a set of fences make the program robust?
//!
//! Fences of one thread do not affect the delays of another. So each thread's attacks are decided
//! separately, and the result depends on the fences of that thread alone:
//!
//! ```text
//! statically: all attacks ruled out                                 ─▶ suffices
//! in turns, each with a higher limit than before:
//!   the derived program of the program with these fences            ─▶ the engine's verdict
//!   one formula per thread, fences as switches    a cycle           ─▶ fails
//!                                          no frontier in the core  ─▶ suffices
//! the formula, with loops unrolled further                          ─▶ fails, or suffices within
//! ```
//!
//! The turns are those of a [race](crate::race). The formula is made once for all sets
//! of fences: it goes first for a thread for which many sets were searched ([`Turns`]). Threads that share
//! no cell with the attacker, directly or through others, are left out of its programs and formulas
//! ([`parts`]).
//!
//! Attacks are not defined for programs with `barrier all`, so the definition of robustness is
//! checked directly.

use super::attacker::{ThreadQuery, Turns};
use super::cut::cuts;
use super::formula::{About, Formula};
use super::place::Place;
use super::search::{Failures, Oracle, Probe, Set};
use super::{FenceOptions, Shortfall};
use crate::encode::{Plan, Switch};
use crate::engines::{DEEPEST, Engine, Stats, Until};
use crate::facts::{Influence, Twins, Values};
use crate::problem::{Memory, Problem};
use crate::program::{Change, FenceKind, FencePoint, LocId, Program, Site, ThreadId};
use crate::race::{ROUNDS, Standing};
use crate::robustness::{
    Attack, AttackAnswer, RobustOptions, attacks, decide, find, has_attacks, unfenced,
};
use crate::techniques::PassName;
use crate::verdict::{Bounds, Budget, Defect, Reason, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The program, and for each thread the part that its attacks may involve.
pub(super) struct Parts {
    whole: Program,
    /// The first thread of the part, by thread.
    of: Vec<ThreadId>,
    /// By first thread, made when it is needed; empty if there is one part only.
    programs: BTreeMap<ThreadId, OnceLock<Program>>,
}

/// The parts of a program: threads that are connected.
pub(super) fn parts(program: &Program) -> Parts {
    let influence = Influence::of(program);
    let mut of: Vec<Option<ThreadId>> = vec![None; program.threads().len()];
    for thread in program.thread_ids() {
        if of[thread.index()].is_none() {
            for own in influence.connected(thread) {
                of[own.index()] = Some(thread);
            }
        }
    }
    let of: Vec<ThreadId> = of.into_iter().flatten().collect();
    let parts = of.iter().map(|&first| (first, OnceLock::new()));
    let mut programs: BTreeMap<ThreadId, OnceLock<Program>> = parts.collect();
    if programs.len() < 2 {
        programs.clear();
    }
    Parts {
        whole: program.clone(),
        of,
        programs,
    }
}

impl Parts {
    /// The part with a thread, in which the threads of other parts have no instructions.
    fn with(&self, thread: ThreadId) -> &Program {
        let is_own = |other: ThreadId| self.joins(thread, other);
        let part = self.programs.get(&self.of[thread.index()]);
        part.map_or(&self.whole, |part| {
            part.get_or_init(|| self.whole.with_only(is_own))
        })
    }

    /// Whether two threads are in one part.
    fn joins(&self, a: ThreadId, b: ThreadId) -> bool {
        self.of[a.index()] == self.of[b.index()]
    }
}

/// The oracle for robustness.
pub(super) struct Robust<'p> {
    parts: &'p Parts,
    program: &'p Program,
    places: &'p [Place],
    pub(super) options: &'p FenceOptions,
    pub(super) budget: &'p Budget,
    threads: Vec<ThreadAttacks<'p>>,
    /// The threads that are alike in the program as written; `None` if nothing is concluded from that.
    twins: Option<Twins>,
    failures: Failures,
    pub(super) stats: Stats,
}

/// What is known about the attacks of one thread.
struct ThreadAttacks<'p> {
    /// `None` stands for any thread, in a program for which attacks are not defined.
    thread: Option<ThreadId>,
    attacks: Vec<Attack>,
    /// The places with a location in the thread.
    own: Set,
    formula: Option<Formula<'p>>,
    turns: Turns,
    /// Sufficient sets of the thread's own places, each with the bounds within which it suffices.
    sufficient: Vec<(Set, Option<Bounds>)>,
    /// Other sets of its own places, each with the cut and the computation that shows it.
    failed: Vec<(Set, Vec<usize>, Shortfall)>,
}

impl ThreadAttacks<'_> {
    /// Nothing is known. The formula goes first after searches of this cost.
    fn new(thread: Option<ThreadId>, attacks: Vec<Attack>, own: Set, after: usize) -> Self {
        Self {
            thread,
            attacks,
            own,
            formula: None,
            turns: Turns::after_cost(after),
            sufficient: Vec::new(),
            failed: Vec::new(),
        }
    }
}

impl<'p> Robust<'p> {
    pub(super) fn new(
        parts: &'p Parts,
        places: &'p [Place],
        options: &'p FenceOptions,
        budget: &'p Budget,
    ) -> Self {
        let program = &parts.whole;
        let mut threads: Vec<ThreadAttacks<'p>> = Vec::new();
        let after = options.formula_after;
        if has_attacks(program, options.model) {
            let values = Values::of(program);
            let open = attacks(program, &values, options.model, options.techniques.pruning).open;
            let mut by_thread = vec![Set::new(); program.threads().len()];
            for (number, place) in places.iter().enumerate() {
                for (thread, _) in &place.points {
                    by_thread[thread.index()].insert(number);
                }
            }
            for attacks in open.chunk_by(|a, b| a.thread == b.thread) {
                let thread = attacks[0].thread;
                let own = std::mem::take(&mut by_thread[thread.index()]);
                let attacks = attacks.to_vec();
                threads.push(ThreadAttacks::new(Some(thread), attacks, own, after));
            }
        } else {
            let all = (0..places.len()).collect();
            threads.push(ThreadAttacks::new(None, Vec::new(), all, after));
        }
        Self {
            parts,
            program,
            places,
            options,
            budget,
            twins: (options.techniques.uses(PassName::Alike) && threads.len() > 1)
                .then(|| Twins::of(program)),
            threads,
            failures: Failures::default(),
            stats: Stats::default(),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let formulas = self.threads.iter().filter_map(|t| t.formula.as_ref());
        formulas.fold(self.stats, |stats, formula| {
            stats.plus(formula.direct.stats())
        })
    }

    /// The open attacks of the program as written, for deciding each of them separately.
    pub(super) fn attacks(&self) -> Vec<Attack> {
        let all = self.threads.iter().flat_map(|t| t.attacks.iter().copied());
        all.collect()
    }

    /// The attackers that share no place with others, or the sets of those that do, each with its
    /// places in ascending order.
    pub(super) fn clusters(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let mut links: Vec<usize> = (0..self.threads.len()).collect();
        let mut first: Vec<Option<usize>> = vec![None; self.places.len()];
        for (at, attacker) in self.threads.iter().enumerate() {
            for &place in &attacker.own {
                match first[place] {
                    Some(other) => join(&mut links, other, at),
                    None => first[place] = Some(at),
                }
            }
        }
        let mut clusters: BTreeMap<usize, (Vec<usize>, Set)> = BTreeMap::new();
        for (at, attacker) in self.threads.iter().enumerate() {
            let (attackers, places) = clusters.entry(least(&mut links, at)).or_default();
            attackers.push(at);
            places.extend(&attacker.own);
        }
        let clusters = clusters.into_values();
        clusters
            .map(|(attackers, places)| (attackers, places.into_iter().collect()))
            .collect()
    }

    /// Whether these attacks of one thread are infeasible with fences at these places.
    fn ask(&mut self, at: usize, among: &[Attack], set: &Set) -> Result<Probe, Defect> {
        self.budget.progress().probed();
        let places = self.places;
        let ThreadAttacks {
            thread,
            own,
            attacks: all,
            formula,
            turns,
            ..
        } = &mut self.threads[at];
        let turns = *turns;
        let parts = self.parts;
        let program = thread.map_or(&parts.whole, |thread| parts.with(thread));
        // A place may have locations in other parts too.
        let is_here = |changed: &Change| {
            let (Change::Fence { thread: t, .. }
            | Change::Exchange(Site { thread: t, .. })
            | Change::Remove(Site { thread: t, .. })) = changed;
            thread.is_none_or(|thread| parts.joins(thread, *t))
        };
        let here: Set = set.intersection(own).copied().collect();
        let changes: Vec<Change> = here
            .iter()
            .flat_map(|&n| places[n].changes(&parts.whole))
            .filter(is_here)
            .collect();
        let changed = program.changed(&changes);
        let Some(thread) = *thread else {
            return self.by_definition(&changed);
        };
        // Fences affect no static argument other than (fenced).
        let values = Values::of(&changed);
        let among = unfenced(&changed, &values, self.options.model, among);
        if among.is_empty() {
            return Ok(Probe::Suffices(None));
        }
        let points = |set: &Set| -> Vec<FencePoint> {
            let points = set.iter().flat_map(|&n| places[n].switches());
            points.filter(|point| point.thread == thread).collect()
        };
        let plan = Plan {
            returns: 0,
            fences: points(own),
            ..Plan::new(Vec::new(), self.options.model)
        };
        let first = self.options.techniques.first_slice;
        // Taken out of the oracle, which the race needs to borrow mutably.
        let formula = formula.take();
        let (all, budget) = (all.clone(), self.budget);
        let mut query = ThreadQuery {
            among,
            on: points(&here).into_iter().map(Switch::Fence).collect(),
            changed,
            formula,
            memory: Memory::default(),
            searches: 0,
            about: About {
                program,
                attacks: all,
                plan,
                solver: self.options.solver,
            },
            oracle: self,
        };
        let open = (Probe::Open(Reason::Stopped), Vec::new());
        let before = query.oracle.stats.states.unwrap_or(0);
        let mut standing = Standing::new(&turns.entrants(), first, &query.changed);
        let known = standing.go_on(&mut query, open, ROUNDS, budget);
        let states = query.oracle.stats.states.unwrap_or(0) - before;
        let turns = turns.next(query.searches, states as usize, &query.changed);
        let formula = query.formula;
        self.threads[at].formula = formula;
        self.threads[at].turns = turns;
        Ok(known?.0)
    }

    pub(super) fn fails(&self, shortfall: Shortfall) -> Probe {
        Probe::Fails {
            cut: cuts(self.program, self.program, shortfall.run(), self.places),
            caused_by: Vec::new(),
            shortfall,
        }
    }

    /// Searches for these attacks of the program with the fences inserted, and whether more work could show no more.
    pub(super) fn search(
        &mut self,
        memory: &Memory,
        changed: &Program,
        among: &[Attack],
        engine: Engine,
        budget: &Budget,
    ) -> Result<(Probe, bool), Defect> {
        let options = self.robust_options(engine);
        let found = find(&Problem {
            program: changed,
            queries: among,
            options: &options,
            budget,
            memory,
        })?;
        let is_final = found.is_final(options.unroll.unwrap_or(DEEPEST), self.budget);
        self.stats = self.stats.plus(found.stats);
        let answers = found.witnessed(changed, self.options.model)?.into_iter();
        let verdicts = answers.map(|AttackAnswer { attack, verdict }| {
            verdict.map(|run| Shortfall::Attack { attack, run })
        });
        Ok((self.probed(Verdict::all(verdicts)), is_final))
    }

    /// Decides whether the program with the fences inserted is robust, if attacks are not defined for it.
    fn by_definition(&mut self, changed: &Program) -> Result<Probe, Defect> {
        let options = self.robust_options(Engine::Auto);
        let report = decide(changed, &options, self.budget)?;
        self.stats = self.stats.plus(report.stats);
        let verdict = report.verdict().map(|run| Shortfall::Cycle(run.clone()));
        Ok(self.probed(verdict))
    }

    fn robust_options(&self, engine: Engine) -> RobustOptions {
        RobustOptions {
            engine,
            solver: self.options.solver,
            until: Until::Violated,
            unroll: self.options.unroll,
            techniques: self.options.techniques,
            ..RobustOptions::new(self.options.model)
        }
    }

    fn probed(&self, verdict: Verdict<Shortfall>) -> Probe {
        match verdict {
            Verdict::Violated(shortfall) => self.fails(shortfall),
            Verdict::Holds => Probe::Suffices(None),
            Verdict::HoldsWithin(bounds) => Probe::Suffices(Some(bounds)),
            Verdict::Unknown(reason) => Probe::Open(reason),
        }
    }
}

impl Robust<'_> {
    /// Whether the same places in another attacker are known to suffice against its attacks, and the two
    /// are alike in the program with fences there: then each attack of the one is feasible if and only
    /// if it is one of the other. Fences in other threads do not matter.
    fn suffices_for_twin(&self, at: usize, here: &Set) -> bool {
        let (Some(thread), Some(twins)) = (self.threads[at].thread, &self.twins) else {
            return false;
        };
        let alike = twins.of_thread(thread);
        let of_twins = self.threads[..at].iter().filter_map(|other| {
            let twin = other.thread.filter(|twin| alike.contains(twin))?;
            Some((twin, &other.sufficient))
        });
        let wanted = self.points_in(thread, here);
        let mut known = of_twins.flat_map(|(twin, sufficient)| {
            let unbounded = sufficient.iter().filter(|(_, bounds)| bounds.is_none());
            unbounded.map(move |(set, _)| (twin, set))
        });
        let found = known.find(|(twin, set)| self.points_in(*twin, set) == wanted);
        let Some((twin, set)) = found else {
            return false;
        };
        let both = here.union(set);
        let changes = both.flat_map(|&n| self.places[n].changes(self.program));
        let changed = self.program.changed(&changes.collect::<Vec<Change>>());
        Twins::of(&changed).of_thread(thread).contains(&twin)
    }

    /// The fences of these places in a thread.
    fn points_in(&self, thread: ThreadId, set: &Set) -> BTreeSet<(LocId, FenceKind)> {
        let points = set.iter().flat_map(|&n| self.places[n].switches());
        let own = points.filter(|point| point.thread == thread);
        own.map(|point| (point.loc, point.kind)).collect()
    }

    /// Whether fences at these places suffice against the attacks of these attackers.
    pub(super) fn probe_among(&mut self, attackers: &[usize], set: &Set) -> Result<Probe, Defect> {
        let mut within = None;
        for &at in attackers {
            let attacker = &self.threads[at];
            let known = attacker.sufficient.iter().find(|(s, _)| s.is_subset(set));
            if let Some((_, bounds)) = known {
                within = within.or_else(|| bounds.clone());
                continue;
            }
            let here: Set = attacker.own.intersection(set).copied().collect();
            if let Some((_, cut, shortfall)) = attacker.failed.iter().find(|(s, ..)| *s == here) {
                return Ok(Probe::Fails {
                    cut: cut.clone(),
                    caused_by: Vec::new(),
                    shortfall: shortfall.clone(),
                });
            }
            if self.suffices_for_twin(at, &here) {
                self.threads[at].sufficient.push((here, None));
                continue;
            }
            let all = self.threads[at].attacks.clone();
            let found = self.ask(at, &all, set)?;
            self.failures.record(set, &found);
            let attacker = &mut self.threads[at];
            match &found {
                Probe::Suffices(bounds) => {
                    attacker.sufficient.push((here, bounds.clone()));
                    within = within.or(bounds.clone());
                }
                Probe::Fails { cut, shortfall, .. } => {
                    let failed = (here, cut.clone(), shortfall.clone());
                    attacker.failed.push(failed);
                    return Ok(found);
                }
                Probe::Open(_) => return Ok(found),
            }
        }
        Ok(Probe::Suffices(within))
    }
}

impl Oracle for Robust<'_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let all: Vec<usize> = (0..self.threads.len()).collect();
        self.probe_among(&all, set)
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        self.failures.left_possible(set)
    }
}

/// Joins the groups of two members. Each group is a tree of links to smaller members.
fn join(links: &mut [usize], a: usize, b: usize) {
    let (a, b) = (least(links, a), least(links, b));
    links[a.max(b)] = a.min(b);
}

/// The least member of a member's group.
fn least(links: &mut [usize], member: usize) -> usize {
    let mut at = member;
    while links[at] != at {
        links[at] = links[links[at]];
        at = links[at];
    }
    at
}

/// Whether one attack is infeasible with fences at some places.
pub(super) struct SingleAttack<'o, 'p> {
    pub(super) oracle: &'o mut Robust<'p>,
    pub(super) attack: Attack,
}

impl Oracle for SingleAttack<'_, '_> {
    fn probe(&mut self, set: &Set) -> Result<Probe, Defect> {
        let attack = self.attack;
        let at = self.oracle.threads.iter();
        let at = at.clone().position(|t| t.thread == Some(attack.thread));
        match at {
            Some(at) => {
                let probe = self.oracle.ask(at, &[attack], set)?;
                self.oracle.failures.record(set, &probe);
                Ok(probe)
            }
            None => self.oracle.probe(set),
        }
    }

    fn left_possible(&self, set: &Set) -> Option<&Shortfall> {
        self.oracle.left_possible(set)
    }
}
