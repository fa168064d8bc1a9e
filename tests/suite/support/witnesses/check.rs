//! Whether a replayed computation is a witness of an attack, clause by clause.
//!
//! The check uses only the moments and the happens-before relation. *At once* is meant literally: a
//! store reaches memory right after its issue, with only its own moves through the buffers of PGAS in
//! between, and a lightweight fence retires right after its issue.

use fencepost::internals::reference::{
    Action, BufferChange, Buffered, Event, EventId, HappensBefore, Run, Step,
};
use fencepost::program::{Addr, InstrId, Site, ThreadId};
use std::collections::VecDeque;

/// Whether the computation satisfies (W1) to (W5) for this attack.
///
/// # Errors
///
/// If it does not: the first clause that fails, with the place.
pub fn check_witness(
    run: &Run,
    attacker: ThreadId,
    store: InstrId,
    last: InstrId,
) -> Result<(), String> {
    let hb = run.happens_before();
    let moves = moves(run, &hb)?;
    let site = |instr| Site {
        thread: attacker,
        instr,
    };

    let changes = |wanted: fn(&BufferChange) -> bool| {
        let changes = run.moments.iter().map(|moment| &moment.buffer);
        changes.filter(|change| wanted(change)).count()
    };
    let entered = changes(|change| matches!(change, BufferChange::Entered(_)));
    if entered != changes(|change| matches!(change, BufferChange::Left(_))) {
        return Err("something is buffered at the end".to_owned());
    }
    // (W1)
    let mut delayed = moves.into_iter().filter(|moved| !moved.at_once(run));
    let first = delayed.next().ok_or("W1: nothing is delayed")?;
    let delayed: Vec<Move> = delayed.collect();
    if let Some(other) = std::iter::once(&first)
        .chain(&delayed)
        .find(|moved| moved.site.thread != attacker)
    {
        return Err(format!("W1: a helper delays {:?}", other.site));
    }
    // (W2)
    let Some(store_event) = first.event else {
        return Err("W2: a fence is delayed first".to_owned());
    };
    if first.site != site(store) {
        return Err(format!("W2: the first delayed store is {:?}", first.site));
    }
    let executions = (0..run.moments.len()).filter(|&at| {
        let moment = &run.moments[at];
        moment.site.thread == attacker && matches!(moment.step, Step::Execute { .. })
    });
    let stop = executions.max().ok_or("W2: the attacker does nothing")?;
    if run.moments[stop].site != site(last) || stop <= first.issued {
        return Err(format!("W2: the attacker stops at moment {stop}"));
    }
    let last_event = (0..hb.events.len() as u32)
        .map(EventId)
        .find(|&event| hb.event(event).executed == stop)
        .ok_or("W2: the attacker's last instruction accesses nothing")?;
    // (W5), and `last` is allowed by the definition: no locked instruction, nothing in a block.
    match run.moments[stop].action {
        Action::Load { early: false, .. } => {}
        Action::Load { early: true, .. } => {
            return Err("W5: the buffer answers the last load".to_owned());
        }
        Action::Issue { .. } => {
            if delayed.iter().any(|moved| moved.issued == stop) {
                return Err("W2: the last store is delayed itself".to_owned());
            }
        }
        Action::Flush { .. }
        | Action::Rmw { .. }
        | Action::Fence
        | Action::Advance { .. }
        | Action::Retire
        | Action::Local => {
            return Err("W2: the attacker stops with neither a load nor a store".to_owned());
        }
    }
    // (W4)
    let reordered = delayed.iter().find(|moved| moved.moved < first.moved);
    if let Some(moved) = reordered {
        return Err(format!(
            "W4: {:?} is delayed, but less than the store",
            moved.site
        ));
    }
    for (at, moment) in run.moments.iter().enumerate().skip(first.moved + 1) {
        let attackers = moment.site.thread == attacker;
        if !attackers || matches!(moment.step, Step::Execute { .. }) {
            return Err(format!("W4: moment {at} is none of the attacker's moves"));
        }
    }
    // tau3: between `last` and the store, the attacker at most advances items to the FIFO.
    let effective = hb.event(last_event).effective;
    for (at, moment) in run.moments[..first.moved].iter().enumerate() {
        let prepares = matches!(moment.step, Step::Advance { .. });
        if at > effective && moment.site.thread == attacker && !prepares {
            return Err(format!("W2: the attacker acts at moment {at}"));
        }
    }
    depends(&hb, last_event, store_event)
}

/// (W3): every access between `last` and the delayed store, and that store, happens after `last` through
/// accesses in between, where a block is one node.
fn depends(hb: &HappensBefore, last: EventId, store: EventId) -> Result<(), String> {
    let (start, end) = (hb.event(last).effective, hb.event(store).effective);
    let between = |event: &Event| event.executed > start && event.effective < end;
    let helpers: Vec<EventId> = (0..hb.events.len() as u32)
        .map(EventId)
        .filter(|&event| between(hb.event(event)))
        .collect();
    let mut open = vec![last];
    let mut reached = vec![false; hb.events.len()];
    while let Some(from) = open.pop() {
        for &to in &helpers {
            if !reached[to.index()] && (before(hb, from, to) || same_block(hb, from, to)) {
                reached[to.index()] = true;
                open.push(to);
            }
        }
    }
    if let Some(free) = helpers.iter().find(|event| !reached[event.index()]) {
        let event = hb.event(*free);
        return Err(format!(
            "W3: {:?} at moment {} does not happen after the last instruction",
            event.site, event.executed
        ));
    }
    let closes = |&event: &EventId| conflict(hb, event, store);
    if helpers.iter().any(closes) {
        Ok(())
    } else {
        Err("W3: the delayed store does not happen after the last instruction".to_owned())
    }
}

fn same_block(hb: &HappensBefore, a: EventId, b: EventId) -> bool {
    let block = hb.event(a).block;
    block.is_some() && block == hb.event(b).block
}

/// Whether one access precedes the other in program order or by a conflict.
fn before(hb: &HappensBefore, from: EventId, to: EventId) -> bool {
    let same_thread = hb.thread(from) == hb.thread(to);
    same_thread && from < to || conflict(hb, from, to)
}

/// rf, co or fr, with co and fr transitive.
fn conflict(hb: &HappensBefore, from: EventId, to: EventId) -> bool {
    let addr = hb.event(from).addr;
    if from == to || hb.event(to).addr != addr {
        return false;
    }
    let stores = &hb.coherence[addr.index()];
    let position = |event| stores.iter().position(|&store| store == event);
    let rf = hb.source[to.index()] == Some(from);
    let co = position(from) < position(to) && position(from).is_some();
    let read = hb.source[from.index()].and_then(position);
    let fr = hb.event(from).loaded.is_some() && position(to).is_some() && position(to) > read;
    rf || co || fr
}

/// A store or lightweight fence on its way through the buffer.
struct Move {
    site: Site,
    /// The access, if it is a store.
    event: Option<EventId>,
    /// Its cell.
    addr: Option<Addr>,
    /// The moment of its issue.
    issued: usize,
    /// The moment at which it reached memory or retired.
    moved: usize,
}

impl Move {
    fn at_once(&self, run: &Run) -> bool {
        let own = |at: usize| match (run.moments[at].step, self.addr) {
            (Step::Advance { thread, addr }, Some(own)) => {
                thread == self.site.thread && addr == own
            }
            _ => false,
        };
        (self.issued + 1..self.moved).all(own)
    }
}

/// Everything that went through a buffer, in issue order.
fn moves(run: &Run, hb: &HappensBefore) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    let stores = (0..hb.events.len() as u32).map(EventId);
    for id in stores {
        let event = hb.event(id);
        if let Action::Issue { .. } = run.moments[event.executed].action {
            moves.push(Move {
                site: event.site,
                event: Some(id),
                addr: Some(event.addr),
                issued: event.executed,
                moved: event.effective,
            });
        }
    }
    // The fences of a thread retire in issue order.
    let mut fences: Vec<VecDeque<usize>> = Vec::new();
    let threads = run.end.locations.len();
    fences.resize_with(threads, VecDeque::new);
    for (at, moment) in run.moments.iter().enumerate() {
        let thread = moment.site.thread.index();
        match moment.step {
            Step::Execute { .. } => {
                if let BufferChange::Entered(Buffered::Fence { .. }) = moment.buffer {
                    fences[thread].push_back(at);
                }
            }
            Step::Retire { .. } => {
                let issued = fences[thread]
                    .pop_front()
                    .ok_or("a fence retires that was not issued")?;
                moves.push(Move {
                    site: moment.site,
                    event: None,
                    addr: None,
                    issued,
                    moved: at,
                });
            }
            Step::Advance { .. } | Step::Flush { .. } => {}
        }
    }
    moves.sort_by_key(|moved| moved.issued);
    Ok(moves)
}
