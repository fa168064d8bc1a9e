//! Every corpus file, one test for each thing that it expects.

use fencepost::expect::{self, Judgement};
use fencepost::syntax::{Format, Parsed, parse_bytes};
use fencepost::verdict::Budget;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io};

/// No single expectation of the corpus may need more states than this.
const STATES: usize = 5_000_000;

fn main() -> io::Result<ExitCode> {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    Ok(libtest_mimic::run(&arguments, trials(&root)?).exit_code())
}

fn trials(root: &Path) -> io::Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for file in files(root)? {
        let bytes = fs::read(&file)?;
        let below = file.strip_prefix(root).unwrap_or(&file);
        let name = below.display().to_string();
        let (text, _, parsed) = parse_bytes(&bytes, &name, None);
        let parsed = Arc::new(parsed);
        let complaints = expect::whole_file(&parsed);
        trials.push(Trial::test(format!("{name} is a corpus file"), move || {
            if complaints.is_empty() {
                Ok(())
            } else {
                Err(complaints.join("\n").into())
            }
        }));
        for (index, expectation) in parsed.expectations.iter().enumerate() {
            let Some(kind) = expect::kind(expectation) else {
                continue;
            };
            let words = expect::words(&text, expectation);
            let line = expectation.origin.line;
            let asked = Arc::clone(&parsed);
            let trial = Trial::test(format!("{name}:{line} {words}"), move || {
                judge(&asked, index)
            });
            // What this version cannot execute shows as ignored, not as passed.
            trials.push(
                trial
                    .with_ignored_flag(!expect::is_executable(expectation))
                    .with_kind(kind),
            );
        }
    }
    Ok(trials)
}

fn judge(parsed: &Parsed, index: usize) -> Result<(), Failed> {
    let budget = Budget::default().with_states(STATES);
    match expect::judge(parsed, &parsed.expectations[index], &budget) {
        Ok(Judgement::Met | Judgement::Skipped) => Ok(()),
        Ok(Judgement::Missed { expected, found }) => {
            Err(format!("expected {expected}, found {found}").into())
        }
        Err(defect) => Err(format!("internal error: {defect}").into()),
    }
}

fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if Format::of_file(&path.display().to_string())
                .next()
                .is_some()
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
