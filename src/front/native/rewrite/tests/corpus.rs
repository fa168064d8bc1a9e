//! Every position of every program of the corpus.

use super::super::*;
use crate::program::{Fault, InstrId, Instruction, Origin};
use std::path::{Path, PathBuf};

/// The programs of the corpus, by file.
fn programs() -> Vec<(PathBuf, String, Program)> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the project") {
            let path = entry.expect("and can be read").path();
            if path.is_dir() && path.file_name().is_none_or(|name| name != "reject") {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "fence")
            {
                let text = std::fs::read_to_string(&path).expect("a file of the project");
                if let Some(program) = parse(&text).program {
                    found.push((path, text, program));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() > 300);
    found
}

/// Whether an instruction is a part of an access of several cells, none of whose stores becomes an exchange by itself.
fn is_part(program: &Program, site: Site) -> bool {
    let thread = program.thread(site.thread);
    thread.location(thread.instruction(site.instr).from).word
}

/// All reachable locations outside of atomic blocks that some instruction leaves.
fn places(program: &Program) -> Vec<(ThreadId, LocId)> {
    let mut places = Vec::new();
    for id in program.thread_ids() {
        let thread = program.thread(id);
        let mut reached = vec![false; thread.locations().len()];
        let mut work = vec![thread.entry()];
        while let Some(loc) = work.pop() {
            if !std::mem::replace(&mut reached[loc.index()], true) {
                let leaving = thread.outgoing(loc).iter();
                work.extend(leaving.map(|instr| thread.instruction(*instr).to));
                if !thread.location(loc).atomic && !thread.is_end(loc) {
                    places.push((id, loc));
                }
            }
        }
    }
    places
}

/// Whether a location is between the last load of an expression and the use of its value, or between
/// the check of a divisor and the division.
fn is_between_load_and_use(program: &Program, id: ThreadId, loc: LocId) -> bool {
    let thread = program.thread(id);
    let mut sites = program.sites();
    let is_checked = sites.any(|(site, i)| {
        site.thread == id && i.to == loc && program.fault(site) == Some(Fault::Division)
    });
    if is_checked {
        return true;
    }
    let contains = |a: Origin, b: Origin| a.start <= b.start && b.end <= a.end && a != b;
    let into = thread.instructions().iter().filter(|i| i.to == loc);
    let mut after = thread.outgoing(loc).iter();
    let mut into = into.map(|i| (i.op.is_store(), i.origin));
    into.all(|(store, load)| {
        let whole = |at: &InstrId| contains(thread.instruction(*at).origin, load);
        !store && after.all(whole)
    })
}

#[test]
fn a_fence_can_be_written_wherever_a_statement_or_loop_of_the_corpus_starts() {
    let mut lost = Vec::new();
    let (mut all, mut writable) = (0, 0);
    for (path, text, program) in programs() {
        let source = SourceText::new(&text, &program).expect("its own text");
        let mut done = BTreeSet::new();
        for (thread, loc) in places(&program) {
            all += 1;
            if done.contains(&(thread, loc)) {
                writable += 1;
                continue;
            }
            let alike = source.places_alike(thread, loc);
            if alike.is_empty() {
                if !is_between_load_and_use(&program, thread, loc) {
                    let origin = program.thread(thread).location(loc).origin;
                    lost.push(format!("{}:{}", path.display(), origin.line));
                }
                continue;
            }
            writable += 1;
            for fence in [Fence::Store, Fence::Full] {
                let changes: Vec<Change> = alike
                    .iter()
                    .map(|(thread, loc)| Change::Fence {
                        thread: *thread,
                        loc: *loc,
                        fence: fence.clone(),
                    })
                    .collect();
                let written = source.rewrite(&changes).expect("it is writable");
                let read = parse(&written).program.expect("the edited text parses");
                let count = |program: &Program| {
                    let is_fence = |i: &Instruction| matches!(i.op, Op::Fence(_));
                    program.sites().filter(|(_, i)| is_fence(i)).count()
                };
                assert!(count(&read) > count(&program), "{written}");
            }
            done.extend(alike);
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(writable * 100 >= all * 98, "{writable} of {all}");
}

#[test]
fn every_store_of_the_corpus_can_become_an_exchange_and_every_fence_can_be_removed() {
    for (path, text, program) in programs() {
        let source = SourceText::new(&text, &program).expect("its own text");
        let mut done = BTreeSet::new();
        for (site, instruction) in program.sites() {
            if done.contains(&site) || is_part(&program, site) {
                continue;
            }
            let change = match &instruction.op {
                Op::Store { .. } => Change::Exchange,
                Op::Fence(_) => Change::Remove,
                Op::Skip
                | Op::Assign { .. }
                | Op::Havoc { .. }
                | Op::Assume(_)
                | Op::Assert(_)
                | Op::Load { .. }
                | Op::Rmw { .. }
                | Op::AtomicBegin
                | Op::WordBegin(_)
                | Op::AtomicEnd => continue,
            };
            let alike = source.sites_alike(site);
            let changes: Vec<Change> = alike.iter().copied().map(change).collect();
            if let Err(refused) = source.rewrite(&changes) {
                unreachable!("{}: {refused}", path.display());
            }
            done.extend(alike);
        }
    }
}

#[test]
fn all_places_of_a_file_can_be_changed_at_once() {
    for (path, text, program) in programs() {
        let source = SourceText::new(&text, &program).expect("its own text");
        let mut changes = BTreeSet::new();
        for (site, instruction) in program.sites() {
            if let Op::Store { .. } = instruction.op
                && !is_part(&program, site)
            {
                changes.insert(Change::Exchange(site));
                let alike = source.places_alike(site.thread, instruction.to);
                changes.extend(fences(&alike.into_iter().collect(), &Fence::Full));
            }
        }
        let changes: Vec<Change> = changes.into_iter().collect();
        if let Err(refused) = source.rewrite(&changes) {
            unreachable!("{}: {refused}", path.display());
        }
    }
}
