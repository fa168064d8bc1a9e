//! A thread's automaton under construction: locations that turn out to be the same are merged.

use crate::program::{
    Call, CallId, Expr, Fault, FencePlace, LocId, Op, Origin, ProgramBuilder, RegId, Role, ThreadId,
};

/// A location that may still be merged with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

#[derive(Debug)]
struct Edge {
    from: Node,
    op: Op,
    to: Node,
    place: FencePlace,
    origin: Origin,
    /// A generated step, removed where possible.
    silent: bool,
    /// A step that does nothing but separate two positions of the text.
    between: bool,
    /// The call in whose procedure it is.
    call: Option<CallId>,
    /// What is wrong where it is an assertion that fails.
    fault: Option<Fault>,
    /// What to report if it is an assertion that fails.
    reason: Option<String>,
}

/// Locations and instructions of one thread.
#[derive(Debug)]
pub(super) struct Graph {
    /// A node that represents the same location; itself for the representative.
    same: Vec<u32>,
    /// For representatives: the label.
    labels: Vec<Option<(String, Origin)>>,
    /// For representatives: whether a statement can be inserted here.
    statement: Vec<bool>,
    /// For representatives: whether the positions before this location that control flow does not
    /// distinguish from it are merged with it.
    unsplit: Vec<bool>,
    edges: Vec<Edge>,
    /// The calls of procedures, numbered within the thread.
    pub(super) calls: Vec<Call>,
    /// The one whose procedure is being lowered.
    pub(super) call: Option<CallId>,
    /// Where the thread ends.
    pub(super) exit: Node,
    /// An unreachable location: edges to it are dropped.
    pub(super) nowhere: Node,
}

impl Graph {
    /// A graph with only an exit.
    pub(super) fn new() -> Self {
        let mut graph = Self {
            same: Vec::new(),
            labels: Vec::new(),
            statement: Vec::new(),
            unsplit: Vec::new(),
            edges: Vec::new(),
            calls: Vec::new(),
            call: None,
            exit: Node(0),
            nowhere: Node(1),
        };
        graph.exit = graph.fresh();
        graph.nowhere = graph.fresh();
        graph
    }

    /// A new location.
    pub(super) fn fresh(&mut self) -> Node {
        self.same.push(self.same.len() as u32);
        self.labels.push(None);
        self.statement.push(false);
        self.unsplit.push(false);
        Node(self.same.len() as u32 - 1)
    }

    /// How many instructions there are.
    pub(super) fn len(&self) -> usize {
        self.edges.len()
    }

    fn find(&mut self, node: Node) -> Node {
        let mut at = node.0;
        while self.same[at as usize] != at {
            let next = self.same[at as usize];
            self.same[at as usize] = self.same[next as usize];
            at = next;
        }
        Node(at)
    }

    /// Merges two locations. The label of the first one is kept if both have one.
    pub(super) fn merge(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.same[b.0 as usize] = a.0;
            self.unsplit[a.0 as usize] |= self.unsplit[b.0 as usize];
            self.statement[a.0 as usize] |= self.statement[b.0 as usize];
            let label = self.labels[b.0 as usize].take();
            let own = &mut self.labels[a.0 as usize];
            if own.is_none() {
                *own = label;
            }
        }
    }

    /// Gives a location a label, unless it has one.
    pub(super) fn label(&mut self, node: Node, name: String, origin: Origin) {
        let node = self.find(node);
        self.labels[node.0 as usize].get_or_insert((name, origin));
    }

    /// Adds an instruction.
    pub(super) fn edge(&mut self, from: Node, op: Op, to: Node, origin: Origin) {
        self.edges.push(Edge {
            from,
            op,
            to,
            place: FencePlace::Default,
            origin,
            silent: false,
            between: false,
            call: self.call,
            fault: None,
            reason: None,
        });
    }

    /// Adds an instruction and, before it, the assertion that it does not divide by 0.
    pub(super) fn checked(&mut self, from: Node, op: Op, to: Node, origin: Origin) {
        let mut at = from;
        for operand in op.operands() {
            self.divides(operand, &mut at, origin);
        }
        self.edge(at, op, to, origin);
    }

    /// Asserts that a value is computed without dividing by 0, if it might not be.
    pub(super) fn divides(&mut self, value: &Value, at: &mut Node, origin: Origin) {
        let Some(divides) = value.divides() else {
            return;
        };
        for op in [Op::Assert(divides.clone()), Op::Assume(divides)] {
            let next = self.fresh();
            self.edge(*at, op, next, origin);
            if let Some(edge) = self.edges.last_mut() {
                edge.fault = Some(Fault::Division);
            }
            *at = next;
        }
    }

    /// Separates two positions of the text, unless the second one must stay unsplit.
    pub(super) fn between(&mut self, from: Node, to: Node, origin: Origin) {
        self.edge(from, Op::Skip, to, origin);
        if let Some(edge) = self.edges.last_mut() {
            edge.between = true;
        }
    }

    /// Marks a location as one where a statement can be inserted.
    pub(super) fn begins_statement(&mut self, node: Node) {
        let node = self.find(node);
        self.statement[node.0 as usize] = true;
    }

    /// Marks a location as unsplit: no position is separated from it.
    pub(super) fn keep_unsplit(&mut self, node: Node) {
        let node = self.find(node);
        self.unsplit[node.0 as usize] = true;
    }

    /// Whether a location must stay unsplit.
    pub(super) fn is_unsplit(&mut self, node: Node) -> bool {
        let node = self.find(node);
        self.unsplit[node.0 as usize]
    }

    /// Merges the positions before unsplit locations with them.
    fn join(&mut self) {
        let mut joins = true;
        while joins {
            joins = false;
            for i in 0..self.edges.len() {
                let (from, to) = (self.edges[i].from, self.edges[i].to);
                let (from, to) = (self.find(from), self.find(to));
                // A cycle of steps that do nothing stays a cycle.
                if self.edges[i].between && from != to && self.unsplit[to.0 as usize] {
                    self.merge(to, from);
                    self.edges[i].between = false;
                    self.edges[i].to = self.nowhere;
                    joins = true;
                }
            }
        }
    }

    /// Sets the reason to report if the last instruction, an assertion, fails.
    pub(super) fn reason(&mut self, reason: String) {
        if let Some(edge) = self.edges.last_mut() {
            edge.reason = Some(reason);
        }
    }

    /// Sets where an instruction was written.
    pub(super) fn set_origin(&mut self, edge: usize, origin: Origin) {
        self.edges[edge].origin = origin;
    }

    /// A nondeterministic choice by a step that does nothing. It is removed if no other edge leads
    /// to `to`.
    pub(super) fn branch(&mut self, from: Node, to: Node, origin: Origin) {
        self.edge(from, Op::Skip, to, origin);
        if let Some(edge) = self.edges.last_mut() {
            edge.silent = true;
        }
    }

    /// Continues at `to` without doing anything. Usually the two become one location, but not if
    /// the user has a label for the first one, which would then also hold at the other; and a cycle
    /// in which nothing happens must stay a cycle.
    pub(super) fn silent(&mut self, from: Node, to: Node, origin: Origin) {
        let (a, b) = (self.find(from), self.find(to));
        let (nowhere, exit) = (self.find(self.nowhere), self.find(self.exit));
        if b == nowhere {
            let stuck = self.fresh();
            self.edge(from, Op::Assume(Expr::Const(0)), stuck, origin);
        } else if a == b {
            self.edge(from, Op::Skip, to, origin);
        } else if self.labels[a.0 as usize].is_some() && b != exit {
            self.branch(from, to, origin);
        } else {
            self.merge(a, b);
        }
    }

    /// Sets the fence annotation of the instructions from `first` on: of all of them, or only of
    /// those that leave one location.
    pub(super) fn place(&mut self, first: usize, only: Option<Node>, place: FencePlace) {
        let only = only.map(|node| self.find(node));
        for i in first..self.edges.len() {
            let from = self.edges[i].from;
            if only.is_none() || only == Some(self.find(from)) {
                self.edges[i].place = place;
            }
        }
    }

    /// Adds everything to the builder. Returns a function from nodes to the locations of those that
    /// have one.
    pub(super) fn finish(
        mut self,
        builder: &mut ProgramBuilder,
        thread: ThreadId,
        entry: Node,
        end: Origin,
    ) -> impl FnMut(Node) -> Option<LocId> + use<> {
        self.join();
        let entry = self.find(entry);
        let nowhere = self.find(self.nowhere);
        for i in 0..self.edges.len() {
            self.edges[i].from = self.find(self.edges[i].from);
            self.edges[i].to = self.find(self.edges[i].to);
        }
        self.edges.retain(|edge| edge.to != nowhere);
        self.contract(entry);

        let mut locs: Vec<Option<LocId>> = vec![None; self.same.len()];
        // An unlabelled location has the origin of the first instruction that leaves it.
        let mut origins: Vec<Option<Origin>> = vec![None; self.same.len()];
        for edge in &self.edges {
            origins[edge.from.0 as usize].get_or_insert(edge.origin);
        }
        let labelled = (0..self.same.len() as u32)
            .map(Node)
            .filter(|node| self.labels[node.0 as usize].is_some());
        let order: Vec<Node> = std::iter::once(entry)
            .chain(self.edges.iter().flat_map(|edge| [edge.from, edge.to]))
            .chain(labelled)
            .collect();
        for node in order {
            let at = node.0 as usize;
            if locs[at].is_none() {
                locs[at] = Some(match self.labels[at].take() {
                    Some((name, origin)) => builder.label(thread, name, origin),
                    None => builder.location(thread, origins[at].unwrap_or(end)),
                });
            }
        }
        if let Some(loc) = locs[entry.0 as usize] {
            builder.entry(thread, loc);
        }
        let mut calls: Vec<CallId> = Vec::new();
        for call in std::mem::take(&mut self.calls) {
            let caller = call.caller.map(|id| calls[id.index()]);
            calls.push(builder.call(Call { caller, ..call }));
        }
        for edge in std::mem::take(&mut self.edges) {
            if let (Some(from), Some(to)) = (locs[edge.from.0 as usize], locs[edge.to.0 as usize]) {
                let instr = builder.instruction(thread, from, edge.op, to, edge.origin);
                let call = edge.call.map(|id| calls[id.index()]);
                let role = if self.statement[edge.from.0 as usize] {
                    Role::Written
                } else {
                    Role::Inside
                };
                builder.note(thread, instr, call, role);
                if let Some(fault) = edge.fault {
                    builder.fault(thread, instr, fault);
                }
                if let Some(reason) = edge.reason {
                    builder.reason(thread, instr, reason);
                }
                if edge.place != FencePlace::Default {
                    builder.fence_place(thread, instr, edge.place);
                }
            }
        }
        move |node| {
            let node = self.find(node);
            locs[node.0 as usize]
        }
    }

    /// Removes silent steps: if no other edge leads to the target of one, the instructions that
    /// leave the target can leave the source instead.
    fn contract(&mut self, entry: Node) {
        let mut into = vec![0_usize; self.same.len()];
        let mut leaves = vec![false; self.same.len()];
        for edge in &self.edges {
            into[edge.to.0 as usize] += 1;
            leaves[edge.from.0 as usize] = true;
        }
        // Where the instructions of a location move to. Roots map to themselves.
        let mut moved: Vec<u32> = (0..self.same.len() as u32).collect();
        let root = |moved: &[u32], mut at: u32| {
            while moved[at as usize] != at {
                at = moved[at as usize];
            }
            at
        };
        for edge in &mut self.edges {
            let to = edge.to.0 as usize;
            let free = self.labels[to].is_none() && edge.to != entry && into[to] == 1;
            let before = root(&moved, edge.from.0);
            // A cycle of silent steps stays one.
            if edge.silent && free && leaves[to] && before != edge.to.0 {
                moved[to] = before;
            } else {
                edge.silent = false;
            }
        }
        self.edges.retain(|edge| !edge.silent);
        for edge in &mut self.edges {
            edge.from = Node(root(&moved, edge.from.0));
        }
        // Nodes that were moved away are never looked up again: no label refers to them.
    }
}

/// An expression over a thread's registers.
pub(super) type Value = Expr<RegId>;
