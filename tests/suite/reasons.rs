//! Every fence that is proposed has a reason: a computation that is possible without it.

use fencepost::internals::check::{self, CheckOptions, Engine};
use fencepost::internals::fences::pairs::PairAlgorithm;
use fencepost::internals::fences::{Algorithm, FenceOptions, Outcome, Place, cheapest_fences};
use fencepost::internals::model::Model;
use fencepost::internals::reference::replay;
use fencepost::internals::verdict::{Budget, Verdict};
use fencepost::program::{Aim, FenceKind, Program};
use std::path::{Path, PathBuf};

/// The programs in a folder of the corpus, each with its file.
fn programs(folder: &str) -> Vec<(PathBuf, Program)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|file| file.expect("a readable directory").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "fence")
        })
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let parsed = fencepost::internals::formats::parse(&text);
        // Places before loops and in their conditions, as on the command line.
        let program = parsed.apart.or(parsed.program)?;
        Some((path, program))
    };
    files.into_iter().filter_map(read).collect()
}

/// Checks the cheapest sets for a program; the number of fences.
fn check(file: &Path, program: &Program, aim: Aim, kinds: &[FenceKind]) -> usize {
    let options = FenceOptions::new(Model::Tso, aim).kinds(kinds.iter().map(|&kind| (kind, 1)));
    let report = cheapest_fences(program, &options, &Budget::default()).expect("no defect");
    let Outcome::Found(found) = report.outcome() else {
        return 0;
    };
    let set = &found.sets[0];
    let reasons: Vec<usize> = found.needed.iter().map(|needed| needed.place).collect();
    let all: Vec<usize> = (0..set.len()).collect();
    assert_eq!(reasons, all, "{}: {aim:?} {kinds:?}", file.display());
    for needed in &found.needed {
        let run = needed.without.run();
        let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
        assert!(
            replay(program, Model::Tso, &steps).is_ok(),
            "{}: {aim:?} {kinds:?}",
            file.display()
        );
    }
    set.len()
}

fn check_folder(folder: &str) {
    let mut fences = 0;
    for (file, program) in programs(folder) {
        for aim in [Aim::Robustness, Aim::Assertions] {
            for kinds in [
                &[FenceKind::Full][..],
                &[FenceKind::Full, FenceKind::Exchange],
            ] {
                fences += check(&file, &program, aim, kinds);
            }
        }
    }
    assert!(fences > 0, "no program of {folder} needs a fence");
}

#[test]
fn every_fence_of_the_real_cases_has_a_reason() {
    check_folder("real");
}

#[test]
fn every_fence_of_the_papers_has_a_reason() {
    check_folder("papers");
}

/// Whether the explicit engine finds that a program's properties hold with fences at these places.
fn suffices<'p>(program: &Program, places: impl Iterator<Item = &'p Place>, model: Model) -> bool {
    let changes: Vec<_> = places.flat_map(|place| place.changes(program)).collect();
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let report = check::check(&program.changed(&changes), &options, &Budget::default());
    match report.expect("no defect").verdict() {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        other @ (Verdict::HoldsWithin(_) | Verdict::Unknown(_)) => panic!("open: {other:?}"),
    }
}

/// The fences that the algorithms over statement pairs find have a reason exactly if the explicit engine
/// finds a violation without them: such a set is not always a cheapest one.
#[test]
fn every_needed_fence_of_the_algorithms_over_pairs_has_a_reason() {
    let mut fences = 0;
    let small = [
        "bdm13-fig2-dekker.fence",
        "dms17-message-passing.fence",
        "jk15-fig1a.fence",
        "jk15-fig1b.fence",
        "jk15-fig1c.fence",
        "jk15-fig2-n2.fence",
        "jk15-peterson-n2.fence",
    ];
    let programs = programs("papers").into_iter().filter(|(file, _)| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| small.contains(&name))
    });
    for (file, program) in programs {
        for model in [Model::Tso, Model::Pso] {
            for &algorithm in PairAlgorithm::ALL {
                let options = FenceOptions::new(model, Aim::Assertions)
                    .algorithm(Algorithm::Pairs(algorithm));
                let report = cheapest_fences(&program, &options, &Budget::default());
                let report = report.expect("no defect");
                let Outcome::Found(found) = report.outcome() else {
                    continue;
                };
                let (set, what) = (&found.sets[0], format!("{}: {algorithm}", file.display()));
                fences += set.len();
                let reasons: Vec<usize> = found.needed.iter().map(|one| one.place).collect();
                let needed = |&place: &usize| {
                    let rest = set.iter().enumerate().filter(|(other, _)| *other != place);
                    !suffices(&program, rest.map(|(_, place)| place), model)
                };
                let expected: Vec<usize> = (0..set.len()).filter(needed).collect();
                assert_eq!(reasons, expected, "{what}");
                for needed in &found.needed {
                    let run = needed.without.run();
                    assert!(needed.without.goal().is_some(), "{what}");
                    let steps: Vec<_> = run.moments.iter().map(|moment| moment.step).collect();
                    assert!(replay(&program, model, &steps).is_ok(), "{what}");
                }
            }
        }
    }
    assert!(fences > 30, "{fences} fences were found");
}
