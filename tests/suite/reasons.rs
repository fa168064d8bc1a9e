//! Every fence that is proposed has a reason: a computation that is possible without it.

use fencepost::explicit::replay;
use fencepost::fences::{FenceOptions, Outcome, cheapest_fences};
use fencepost::model::Model;
use fencepost::program::{Aim, FenceKind, Program};
use fencepost::verdict::Budget;
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
        let parsed = fencepost::formats::parse(&text);
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
