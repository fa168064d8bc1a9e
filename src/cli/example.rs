//! `fencepost example`: programs to begin with, where only the binary is installed.
//!
//! They are files of the corpus, read when Fencepost is compiled, so they are what its tests check.

use super::Session;
use super::driver::{Stream, print};
use super::exit::Exit;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// A program inside the binary.
struct Example {
    /// Where it is in the corpus. The name of the file is unique among the examples.
    path: &'static str,
    about: &'static str,
    text: &'static str,
}

/// Declares the examples: files of the corpus, with a few words about each.
macro_rules! examples {
    ($($path:literal: $about:literal,)+) => {
        /// All examples, those to begin with first.
        const EXAMPLES: &[Example] = &[$(Example {
            path: concat!("corpus/", $path),
            about: $about,
            text: include_str!(concat!("../../corpus/", $path)),
        },)+];
    };
}

examples! {
    "c/mutex/peterson.c": "Peterson's lock in C with release stores: wrong on x86",
    "c/mutex/peterson-fenced.c": "the same with a fence in each thread: right",
    "c/waits/lost-wake-up.c": "a wake-up that is lost on x86, so that a thread waits forever",
    "c/waits/locks-in-two-orders.c": "two locks taken in two orders: a deadlock on any machine",
    "c/race/message-passing-relaxed.c": "data, and a relaxed flag that says so: right on x86, wrong under PSO",
    "c/structures/treiber-stack.c": "Treiber's stack: nothing is lost, nothing is popped twice",
    "c/real/16-chase-lev-take.c": "a work-stealing deque without its fence: one item is taken twice",
    "any/spin-lock.c": "a spin lock, proved for any number of threads",
    "rust/peterson-relaxed.rs": "Peterson's lock in Rust with release stores: wrong on x86",
    "rust/dekker-release.rs": "two flags, each raised before the other is read: wrong on x86",
    "rust/dekker.rs": "the same with `SeqCst`: right",
    "rust/park-lost-wakeup.rs": "`park` without a fence between store and load: the wake-up is lost",
    "rust/lock-order.rs": "two mutexes locked in two orders: a deadlock",
    "rust/spsc-ring.rs": "a ring with one producer and one consumer: right",
    "mutex/peterson.fence": "Peterson's lock in Fencepost's own language",
    "guide/claim.fence": "two workers and one job: the program of the tutorial",
    "guide/sleep.fence": "a consumer that sleeps until it is woken: from the tutorial",
    "any/tas.fence": "a test-and-set lock of any number of threads",
    "structures/seqlock.fence": "a sequence lock: a writer and a reader that tries again",
    "litmus/x86/SB.litmus": "store buffering as a litmus test in x86 assembly",
    "litmus/c/SB.linux.litmus": "store buffering as a litmus test of the Linux kernel, in C",
    "trencher/peterson.txt": "Peterson's lock as automata, in Trencher's format",
}

impl Example {
    /// The name of the file, which is how it is asked for.
    fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct Printed {
    /// The example to print; without one, lists all of them
    #[arg(value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    name: Option<String>,
    /// List the examples, with a line about each
    #[arg(long, conflicts_with = "name")]
    list: bool,
}

fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(Example::name)
}

/// Prints an example as it is in the corpus, or the list of them.
pub(super) fn run(arguments: &Printed, _: &Session) -> Exit {
    let name = arguments.name.as_deref().filter(|_| !arguments.list);
    let example = name.and_then(|name| EXAMPLES.iter().find(|one| one.name() == name));
    print(
        Ok(example.map_or_else(list, |example| example.text.to_owned())),
        Stream::Output,
    )
}

/// A line about each example.
fn list() -> String {
    let width = names().map(str::len).max().unwrap_or(0);
    let rows = EXAMPLES.iter();
    let rows = rows.flat_map(|example| {
        [
            format!("{:width$}", example.name()),
            format!("  {}\n", example.about),
        ]
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::kind;
    use crate::formats;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_example_is_a_file_of_the_corpus_that_has_expectations() {
        for example in EXAMPLES {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(example.path);
            let text = fs::read_to_string(&file).expect("it is in the corpus");
            assert_eq!(text, example.text, "{}", example.path);
            let (_, _, parsed) = formats::parse_bytes(text.as_bytes(), example.path, None);
            let mut expected = parsed.expectations.iter();
            assert!(expected.any(|one| kind(one).is_some()), "{}", example.path);
        }
    }

    #[test]
    fn no_two_examples_have_one_name_and_a_line_has_room_for_each() {
        let different: BTreeSet<_> = names().collect();
        assert_eq!(different.len(), EXAMPLES.len());
        for line in list().lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
